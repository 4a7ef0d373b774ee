import type { Page } from '@playwright/test';
import { ACCOUNT_NOTICES, REGISTRATION_TEXTS } from '#contract/accounts.ts';
import { ERRORS } from '#contract/errors.ts';
import { answerWrites, refusal, type Screen } from '../support/screen.ts';

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Email o username').fill('rita.moro');
  await page.getByLabel('Password', { exact: true }).fill('una password');
  await press('Accedi')(page);
}

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
    name: 'login-refused',
    path: '/login',
    as: 'visitor',
    arrange: answerWrites('auth/login', refusal('invalid_credentials')),
    async prepare(page) {
      await logIn(page);
      await page.getByText(ERRORS.invalid_credentials.message).waitFor();
    },
  },
  {
    name: 'login-two-factor',
    path: '/login',
    as: 'visitor',
    arrange: answerWrites('auth/login', { status: 200, json: { twoFactor: true } }),
    async prepare(page) {
      await logIn(page);
      await page.getByRole('heading', { name: 'Verifica in due passaggi' }).waitFor();
    },
  },
  {
    name: 'login-expired',
    path: '/login#conferma=abc',
    as: 'visitor',
    arrange: answerWrites('auth/email-verifications/confirmations', refusal('invalid_link')),
    prepare: (page) => page.getByText(ERRORS.invalid_link.message).waitFor(),
  },
  {
    name: 'login-registered',
    path: '/login?modulo=registrazione',
    as: 'visitor',
    arrange: answerWrites('auth/registrations', { status: 201 }),
    async prepare(page) {
      await page.getByLabel('Nome completo').fill('Rita Moro');
      await page.getByLabel('Email').fill('rita.moro@example.com');
      await page.getByLabel('Password', { exact: true }).fill('abbastanza');
      await page.getByLabel('Conferma password').fill('abbastanza');
      await press('Registrati')(page);
      await page.getByText(REGISTRATION_TEXTS.done).waitFor();
    },
  },
  {
    name: 'login-recovery-requested',
    path: '/login?modulo=recupero',
    as: 'visitor',
    arrange: answerWrites('auth/recoveries', { status: 202 }),
    async prepare(page) {
      await page.getByRole('heading', { name: 'Password dimenticata?' }).waitFor();
      await page.getByLabel('Email').fill('rita.moro@example.com');
      await press('Invia il collegamento')(page);
      await page.getByText(ACCOUNT_NOTICES.recoveryRequested).waitFor();
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
