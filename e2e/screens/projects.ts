import { failToAnswer, neverAnswer, type Screen, waitForError } from '../support/screen.ts';

export const screens: readonly Screen[] = [
  { name: 'projects', path: '/app/progetti-team', as: 'customer' },
  { name: 'projects-samples', path: '/app/progetti-team', as: 'newCustomer' },
  { name: 'projects-loading', path: '/app/progetti-team', as: 'customer', arrange: neverAnswer('projects') },
  {
    name: 'projects-error',
    path: '/app/progetti-team',
    as: 'customer',
    arrange: failToAnswer('projects'),
    prepare: waitForError,
  },
  {
    name: 'projects-team',
    path: '/app/progetti-team',
    as: 'customer',
    prepare: (page) => page.getByRole('tab', { name: 'Team' }).click(),
  },
  {
    name: 'projects-new',
    path: '/app/progetti-team',
    as: 'customer',
    prepare: (page) => page.getByRole('button', { name: 'Nuovo Progetto' }).click(),
  },
  {
    name: 'projects-new-wrong',
    path: '/app/progetti-team',
    as: 'customer',
    async prepare(page) {
      await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
      await page.getByRole('button', { name: 'Aggiungi dipendente' }).click();
      await page.getByRole('dialog').getByLabel('Nome', { exact: true }).fill('Mario');
      await page.getByRole('button', { name: 'Crea Progetto' }).click();
    },
  },
  {
    name: 'projects-team-dialog',
    path: '/app/progetti-team',
    as: 'customer',
    prepare: (page) => page.getByRole('button', { name: '5 persone' }).first().click(),
  },
  {
    name: 'projects-team-details',
    path: '/app/progetti-team?tab=team',
    as: 'customer',
    prepare: (page) =>
      page
        .getByRole('button', { name: /^Mostra i dettagli di/ })
        .first()
        .click(),
  },
  {
    name: 'projects-import',
    path: '/app/progetti-team?tab=team',
    as: 'customer',
    async prepare(page) {
      await page.getByRole('button', { name: 'Importa elenco' }).click();
      const list = 'Nome;Cognome;Ruolo;Email\nMario;Rossi;Tecnico;\nAnna;;Ingegnere;anna@\nLuca;Bo;Mago;';
      await page.getByRole('textbox', { name: 'Elenco del personale' }).fill(list);
    },
  },
];
