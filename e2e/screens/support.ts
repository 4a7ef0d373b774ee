import type { Screen } from '../support/screen.ts';

const path = '/app/support';

export const screens: readonly Screen[] = [
  { name: 'support', path, as: 'customer' },
  {
    name: 'support-wrong',
    path,
    as: 'customer',
    prepare: (page) => page.getByRole('button', { name: 'Invia al supporto' }).click(),
  },
];
