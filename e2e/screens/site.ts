import type { Page } from '@playwright/test';
import { answerWrites, type Screen } from '../support/screen.ts';
import { wake } from '../support/wake.ts';

async function submit(page: Page): Promise<void> {
  await wake(page);
  await page.getByRole('button', { name: 'Invia richiesta' }).click();
}

async function send(page: Page): Promise<void> {
  await page.getByLabel('Nome', { exact: true }).fill('Anna');
  await page.getByLabel('Cognome').fill('Zanetti');
  await page.getByLabel('Azienda').fill('Montaggi Padani');
  await page.getByRole('textbox', { name: 'Telefono' }).fill('+39 333 1234567');
  await page.getByLabel('Messaggio').fill('Dodici operai a Ravenna, tre settimane.');
  await submit(page);
}

export const screens: readonly Screen[] = [
  { name: 'site-home', path: '/', as: 'visitor' },
  { name: 'site-solutions', path: '/solutions', as: 'visitor' },
  { name: 'site-pricing', path: '/pricing', as: 'visitor' },
  { name: 'site-company', path: '/company', as: 'visitor' },
  { name: 'site-contacts', path: '/contacts', as: 'visitor' },
  {
    name: 'site-contacts-wrong',
    path: '/contacts',
    as: 'visitor',
    async prepare(page) {
      await submit(page);
      await page.getByText('Il nome è obbligatorio').waitFor();
    },
  },
  {
    name: 'site-contacts-sent',
    path: '/contacts',
    as: 'visitor',
    arrange: answerWrites('contact-requests', { status: 201 }),
    async prepare(page) {
      await send(page);
      await page.getByRole('status').filter({ hasText: 'Messaggio Inviato' }).waitFor();
    },
  },
  {
    name: 'site-contacts-failed',
    path: '/contacts',
    as: 'visitor',
    arrange: answerWrites('contact-requests', { status: 500 }),
    async prepare(page) {
      await send(page);
      await page.getByRole('alert').filter({ hasText: 'Errore' }).waitFor();
    },
  },
  { name: 'site-privacy', path: '/privacy', as: 'visitor' },
  { name: 'site-cookies', path: '/cookies', as: 'visitor' },
  { name: 'site-accessibility', path: '/accessibility', as: 'visitor' },
  { name: 'site-not-found', path: '/percorso-che-non-esiste', as: 'visitor' },
];
