import { failToAnswer, neverAnswer, type Screen } from '../support/screen.ts';

export const screens: readonly Screen[] = [
  { name: 'invoices', path: '/app/pagamenti-fatture', as: 'customer' },
  { name: 'invoices-samples', path: '/app/pagamenti-fatture', as: 'newCustomer' },
  {
    name: 'invoices-loading',
    path: '/app/pagamenti-fatture',
    as: 'customer',
    arrange: neverAnswer('invoices'),
  },
  {
    name: 'invoices-error',
    path: '/app/pagamenti-fatture',
    as: 'customer',
    arrange: failToAnswer('invoices'),
  },
  {
    name: 'invoices-list',
    path: '/app/pagamenti-fatture',
    as: 'customer',
    prepare: (page) => page.getByRole('tab', { name: 'Fatture' }).click(),
  },
  { name: 'admin-invoices', path: '/app/admin/invoices', as: 'invoiceAdmin' },
  {
    name: 'admin-invoices-new',
    path: '/app/admin/invoices',
    as: 'invoiceAdmin',
    prepare: (page) => page.getByRole('button', { name: 'Crea Nuova Fattura' }).click(),
  },
];
