import type { Page } from '@playwright/test';
import { failToAnswer, neverAnswer, type Screen, waitForError } from '../support/screen.ts';

const wizard = '/app/nuova-trasferta';
const list = `${wizard}/richieste`;
const management = '/app/gestione-richieste';

async function fillBasics(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Città' }).fill('Priolo Gargallo');
  await page
    .getByRole('textbox', { name: 'Posizione Esatta del Sito di Lavoro' })
    .fill('Stabilimento ovest, portineria 2');
  await page.getByRole('textbox', { name: 'Data di Inizio' }).fill('12/10/2027');
  await page.getByRole('textbox', { name: 'Data di Fine' }).fill('30/10/2027');
  await page.getByRole('combobox', { name: 'Nome del Progetto' }).fill('Fermata impianto etilene');
  await page.getByRole('textbox', { name: 'Ragione della Trasferta' }).fill('Manutenzione programmata');
  await page.getByRole('textbox', { name: 'Numero di Persone' }).fill('12');
}

function toStep(step: number): (page: Page) => Promise<void> {
  return async (page) => {
    await fillBasics(page);
    for (let current = 1; current < step; current += 1) {
      await page.getByRole('button', { name: 'Continua' }).click();
      await page.getByText(`Step ${current + 1} di 4`).waitFor();
    }
  };
}

export const screens: readonly Screen[] = [
  { name: 'trip-request-1', path: wizard, as: 'customer', prepare: fillBasics },
  {
    name: 'trip-request-1-errors',
    path: wizard,
    as: 'customer',
    prepare: (page) => page.getByRole('button', { name: 'Continua' }).click(),
  },
  { name: 'trip-request-2', path: wizard, as: 'customer', prepare: toStep(2) },
  { name: 'trip-request-3', path: wizard, as: 'customer', prepare: toStep(3) },
  { name: 'trip-request-4', path: wizard, as: 'customer', prepare: toStep(4) },
  {
    name: 'trip-request-restored',
    path: wizard,
    as: 'customer',
    prepare: async (page) => {
      await fillBasics(page);
      await page.reload();
      await page.getByRole('button', { name: 'Ricomincia da capo' }).waitFor();
    },
  },
  { name: 'trip-requests', path: list, as: 'customer' },
  { name: 'trip-requests-empty', path: list, as: 'newCustomer' },
  { name: 'trip-requests-loading', path: list, as: 'customer', arrange: neverAnswer('trip-requests') },
  {
    name: 'trip-requests-error',
    path: list,
    as: 'customer',
    arrange: failToAnswer('trip-requests'),
    prepare: waitForError,
  },
  {
    name: 'trip-requests-detail',
    path: list,
    as: 'customer',
    prepare: async (page) => {
      await page.getByRole('link', { name: /Apri la richiesta per Gela/ }).click();
      await page.getByRole('heading', { name: 'Trasferta a Gela' }).waitFor();
    },
  },
  {
    name: 'trip-requests-withdraw',
    path: list,
    as: 'customer',
    prepare: async (page) => {
      await page.getByRole('link', { name: /Apri la richiesta per Gela/ }).click();
      await page.getByRole('button', { name: 'Ritira richiesta' }).click();
    },
  },
  { name: 'trip-requests-management', path: management, as: 'admin' },
  {
    name: 'trip-requests-management-detail',
    path: management,
    as: 'admin',
    prepare: async (page) => {
      await page.getByRole('link', { name: /Gestisci la richiesta per Gela/ }).click();
      await page.getByRole('heading', { name: 'Trasferta a Gela' }).waitFor();
    },
  },
];
