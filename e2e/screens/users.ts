import { failToAnswer, neverAnswer, type Screen, waitForError } from '../support/screen.ts';

const path = '/app/user-management';

export const screens: readonly Screen[] = [
  { name: 'users', path, as: 'admin' },
  { name: 'users-loading', path, as: 'admin', arrange: neverAnswer('users') },
  { name: 'users-error', path, as: 'admin', arrange: failToAnswer('users'), prepare: waitForError },
  {
    name: 'users-none',
    path,
    as: 'admin',
    async prepare(page) {
      await page.getByPlaceholder('Cerca utenti...').fill('nessuno di questo nome');
      await page.getByText('Nessun utente corrisponde alla ricerca').waitFor();
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
    prepare: (page) => page.getByRole('button', { name: 'Azioni per Paola Galli' }).click(),
  },
];
