import { failToAnswer, neverAnswer, type Screen } from '../support/screen.ts';

const path = '/app/home';

export const screens: readonly Screen[] = [
  { name: 'dashboard', path, as: 'customer' },
  { name: 'dashboard-samples', path, as: 'newCustomer' },
  {
    name: 'dashboard-numbers',
    path,
    as: 'customer',
    prepare: (page) => page.getByText('i numeri').click(),
  },
  { name: 'dashboard-first-view', path, as: 'customer', arrange: neverAnswer('auth/session') },
  {
    name: 'dashboard-loading',
    path,
    as: 'customer',
    arrange: neverAnswer('dashboard'),
    prepare: (page) => page.getByRole('button', { name: /^Account di/ }).waitFor(),
  },
  {
    name: 'dashboard-error',
    path,
    as: 'customer',
    arrange: failToAnswer('dashboard'),
    prepare: (page) => page.getByRole('button', { name: 'Riprova' }).waitFor(),
  },
];
