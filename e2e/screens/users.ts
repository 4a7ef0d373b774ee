import type { Page } from '@playwright/test';
import type { User } from '#contract/users.ts';
import { firstPage, LONGEST } from '../support/extremes.ts';
import { failToAnswer, leaveUnanswered, type Screen, waitForError } from '../support/screen.ts';

const path = '/app/user-management';

function userOf(index: number): User {
  const long = index % 3 === 0;
  return {
    id: `user-${index}`,
    email: long ? LONGEST.email : 'bo@example.com',
    fullName: long ? LONGEST.person : 'Bo Li',
    companyName: long ? LONGEST.company : null,
    role: index % 5 === 0 ? 'admin' : 'user',
    createdAt: '2026-01-31T22:59:00.000Z',
    emailVerified: index % 2 === 0,
    suspended: index % 4 === 0,
    manageable: index % 5 !== 0,
  };
}

/** Answers the list as if there were `count` users, with the longest texts among them. */
function answerMany(count: number): (page: Page) => Promise<void> {
  return async (page) => {
    await page.route(/\/api\/users(\?|$)/, (route) => route.fulfill({ json: firstPage(count, userOf) }));
  };
}

export const screens: readonly Screen[] = [
  { name: 'users', path, as: 'admin' },
  { name: 'users-loading', path, as: 'admin', arrange: leaveUnanswered('users') },
  { name: 'users-error', path, as: 'admin', arrange: failToAnswer('users'), prepare: waitForError },
  {
    name: 'users-none',
    path,
    as: 'admin',
    async prepare(page) {
      await page.getByPlaceholder('Cerca utenti...').fill('nessuno di questo nome');
      await page.getByRole('status').filter({ hasText: 'Nessun utente corrisponde alla ricerca' }).waitFor();
    },
  },
  {
    name: 'users-of-request',
    path: '/app/gestione-richieste',
    as: 'admin',
    async prepare(page) {
      await page.getByRole('link', { name: /Gestisci la richiesta per Gela/ }).click();
      await page.getByRole('link', { name: 'Il suo account' }).click();
      await page.getByRole('button', { name: /^Utente: \p{L}.*, togli il filtro$/u }).waitFor();
    },
  },
  {
    name: 'users-new',
    path,
    as: 'admin',
    async prepare(page) {
      await page.getByRole('button', { name: 'Nuovo Utente' }).click();
      await page.getByRole('button', { name: 'Crea utente' }).click();
    },
  },
  {
    name: 'users-actions',
    path,
    as: 'admin',
    // Alone in the list, so that the button is in sight without scrolling: a menu closes when its button scrolls away.
    async prepare(page) {
      await page.getByPlaceholder('Cerca utenti...').fill('Paola Galli');
      await page.getByText('1 di 1').waitFor();
      await page.getByRole('button', { name: 'Azioni per Paola Galli' }).click();
    },
  },
  {
    name: 'users-actions-unconfirmed',
    path: `${path}?cerca=Giulia+Serra`,
    as: 'admin',
    async prepare(page) {
      await page.getByText('1 di 1').waitFor();
      await page.getByRole('button', { name: 'Azioni per Giulia Serra' }).click();
    },
  },
  ...Object.entries({
    'users-edit': 'Modifica',
    'users-role': 'Rendi amministratore',
    'users-suspend': 'Sospendi',
    'users-delete': 'Elimina',
  }).map(
    ([name, item]): Screen => ({
      name,
      path: `${path}?cerca=Paola+Galli`,
      as: 'admin',
      async prepare(page) {
        await page.getByText('1 di 1').waitFor();
        await page.getByRole('button', { name: 'Azioni per Paola Galli' }).click();
        await page.getByRole('menuitem', { name: item, exact: true }).click();
        await page.getByRole('dialog').waitFor();
      },
    }),
  ),
  {
    name: 'users-one',
    path,
    as: 'admin',
    arrange: answerMany(1),
    prepare: (page) => page.getByText('1 di 1').waitFor(),
  },
  {
    name: 'users-thousand',
    path,
    as: 'admin',
    arrange: answerMany(1000),
    prepare: (page) => page.getByText('25 di 1.000').waitFor(),
  },
  {
    name: 'users-denied',
    path,
    as: 'customer',
    prepare: (page) => page.getByText('Accesso non autorizzato').waitFor(),
  },
];
