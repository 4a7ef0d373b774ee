import type { Page } from '@playwright/test';
import type { Screen } from '../support/screen.ts';

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

export const screens: readonly Screen[] = [
  { name: 'login', path: '/login', as: 'visitor' },
  {
    name: 'login-empty',
    path: '/login',
    as: 'visitor',
    async prepare(page) {
      await press('Accedi')(page);
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'login-registration',
    path: '/login',
    as: 'visitor',
    async prepare(page) {
      await press('Registrati')(page);
      await page.getByLabel('Nome completo').fill('Rita Moro');
      await press('Registrati')(page);
    },
  },
  { name: 'login-recovery', path: '/login', as: 'visitor', prepare: press('Password dimenticata?') },
  { name: 'login-code', path: '/login', as: 'visitor', prepare: press('Ricevi un codice via email') },
  { name: 'login-reset', path: '/login#reimposta=abc', as: 'visitor' },
];
