import type { Screen } from '../support/screen.ts';

export const screens: readonly Screen[] = [
  { name: 'login', path: '/login', as: 'visitor' },
  {
    name: 'login-empty',
    path: '/login',
    as: 'visitor',
    prepare: (page) => page.getByRole('button', { name: 'Accedi' }).click(),
  },
];
