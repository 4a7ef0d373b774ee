import type { Page } from '@playwright/test';
import type { Me } from '#contract/accounts.ts';
import { LONGEST } from '../support/extremes.ts';
import { failToAnswer, leaveUnanswered, type Screen, waitForError } from '../support/screen.ts';

const PASSWORD = 'una password di prova';

const open = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Answers who is logged in, with `fields` instead of their own. */
function answerSession(fields: Partial<Me>): (page: Page) => Promise<void> {
  return async (page) => {
    await page.route('**/api/auth/session', async (route) => {
      const response = await route.fetch();
      const { me } = await response.json();
      await route.fulfill({ response, json: { me: { ...me, ...fields } } });
    });
  };
}

export const screens: readonly Screen[] = [
  { name: 'profile', path: '/app/profile', as: 'customer' },
  {
    name: 'profile-longest',
    path: '/app/profile',
    as: 'customer',
    arrange: answerSession({
      fullName: LONGEST.person,
      companyName: LONGEST.company,
      email: LONGEST.email,
      username: LONGEST.person.replaceAll(' ', '.'),
    }),
    prepare: (page) => page.getByText(LONGEST.person).first().waitFor(),
  },
  {
    name: 'profile-wrong',
    path: '/app/profile',
    as: 'customer',
    async prepare(page) {
      await page.getByLabel('Nome completo').fill('');
      await open(page, 'Salva modifiche');
      await open(page, 'Cambia password');
      await page.getByText('Inserisci il tuo nome completo').waitFor();
    },
  },
  {
    name: 'profile-devices-loading',
    path: '/app/profile',
    as: 'customer',
    arrange: leaveUnanswered('auth/sessions'),
  },
  {
    name: 'profile-devices-error',
    path: '/app/profile',
    as: 'customer',
    arrange: failToAnswer('auth/sessions'),
    prepare: waitForError,
  },
  {
    name: 'profile-two-factor',
    path: '/app/profile',
    as: 'customer',
    async prepare(page) {
      await open(page, 'Attiva la verifica');
      await page.getByLabel('La tua password').fill(PASSWORD);
      await open(page, 'Continua');
      await page.getByRole('img', { name: /Codice QR/ }).waitFor();
    },
  },
  {
    name: 'profile-recovery-codes',
    path: '/app/profile',
    as: 'customer',
    async arrange(page) {
      await page.route('**/api/auth/two-factor/confirmations', (route) => route.fulfill({ status: 204 }));
    },
    async prepare(page) {
      await open(page, 'Attiva la verifica');
      await page.getByLabel('La tua password').fill(PASSWORD);
      await open(page, 'Continua');
      await page.getByLabel('Codice di 6 cifre').fill('123456');
      await open(page, 'Attiva');
      await page.getByRole('list', { name: 'Codici di recupero' }).waitFor();
    },
  },
  {
    name: 'profile-two-factor-on',
    path: '/app/profile',
    as: 'customer',
    arrange: answerSession({ twoFactorEnabled: true }),
    async prepare(page) {
      await open(page, 'Disattiva');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'profile-devices-end',
    path: '/app/profile',
    as: 'customer',
    async prepare(page) {
      await open(page, 'Disconnetti tutti');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'profile-deletion',
    path: '/app/profile',
    as: 'customer',
    async prepare(page) {
      await open(page, 'Elimina account');
      await page.getByLabel('La tua password').fill(PASSWORD);
      await open(page, 'Continua');
      await page.getByRole('button', { name: 'Elimina definitivamente' }).waitFor();
    },
  },
];
