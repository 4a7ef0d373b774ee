import type { Page } from '@playwright/test';
import { LONGEST } from '../support/extremes.ts';
import { failToAnswer, leaveUnanswered, type Screen, waitForError } from '../support/screen.ts';

const PASSWORD = 'una password di prova';

const open = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

export const screens: readonly Screen[] = [
  { name: 'profile', path: '/app/profile', as: 'customer' },
  {
    name: 'profile-longest',
    path: '/app/profile',
    as: 'customer',
    async arrange(page) {
      await page.route('**/api/auth/session', async (route) => {
        const response = await route.fetch();
        const { me } = await response.json();
        const { person, company, email } = LONGEST;
        const longest = {
          fullName: person,
          companyName: company,
          email,
          username: person.replaceAll(' ', '.'),
        };
        await route.fulfill({ response, json: { me: { ...me, ...longest } } });
      });
    },
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
