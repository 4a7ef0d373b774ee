import type { Locator, Page } from '@playwright/test';
import { addDays, type CalendarDate, formatDate, period, todayInRome } from '#contract/dates.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { listenToStatus } from '../support/announcements.ts';
import { answerOnce } from '../support/answer-once.ts';
import { expectToFit } from '../support/layout.ts';
import { openNewProject, PROJECTS_PATH } from '../support/projects.ts';
import { expect, test } from '../support/test.ts';

test('a project with existing and new employees is created, edited, completed, reopened and deleted', async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  await app.make.employee(user, { name: 'Bruna Alfieri', role: 'Ingegnere', status: 'disponibile' });
  const page = await openAs(user);
  // So long that one day more does not change the percentage.
  const today = todayInRome();
  const [start, end] = [addDays(today, -500), addDays(today, 1_500)];
  const dialog = await openNewProject(page);
  // The page behind the dialog does not scroll.
  await expect(page.locator('html')).toHaveCSS('overflow', 'hidden');
  await dialog.getByLabel('Nome Progetto').fill('Turbogas Brindisi');
  await dialog.getByLabel('Località').fill('Brindisi');
  await dialog.getByRole('textbox', { name: 'Data Inizio' }).fill(formatDate(start));
  await dialog.getByRole('textbox', { name: 'Data Fine' }).fill(formatDate(end));
  await dialog.getByLabel('Proiezione Spesa Totale (€)').fill('1.000');
  await dialog.getByLabel('Spesa ad Oggi (€)').fill('1250,50');
  await dialog.getByRole('checkbox', { name: 'Bruna Alfieri - Ingegnere' }).check();
  await dialog.getByRole('button', { name: 'Aggiungi dipendente' }).click();
  const member = dialog.getByRole('group', { name: 'Nuovo dipendente 1' });
  await expect(member.getByLabel('Nome', { exact: true })).toBeFocused();
  await page.keyboard.type('Mario');
  await member.getByLabel('Cognome').fill('Rossi');
  await expect(dialog.getByText('Team: 1 persona')).toBeVisible();
  await member.getByLabel('Ruolo').selectOption('Capocantiere');
  await expect(dialog.getByText('Team: 2 persone')).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();

  await expect(page.getByText('Il nuovo progetto è stato creato con successo.')).toBeVisible();
  await expect(page.getByText('Progetto creato con successo!')).toBeVisible();
  // The toast is beside the title of the page or below it. Pointed at, it stays until it has been looked at.
  const [said, title] = [
    page.getByText('Progetto creato', { exact: true }),
    page.getByRole('heading', { level: 1 }),
  ];
  await said.hover();
  await expect(dialog).toBeHidden();
  await expect
    .poll(async () => {
      const [one, other] = [await said.boundingBox(), await title.boundingBox()];
      return one && other && (one.x > other.x + other.width || one.y > other.y + other.height);
    })
    .toBe(true);
  const card = page.getByRole('list', { name: 'Progetti attivi' }).getByRole('listitem').first();
  await expect(card).toContainText('Turbogas Brindisi');
  await expect(card).toContainText('25%');
  await expect(card).toContainText('€ 250,50 oltre la proiezione');
  // The percentage is read once, after the name; that of the spending, although the bar itself ends at 100%.
  const bar = (name: string) => card.getByRole('progressbar', { name, exact: true });
  await expect(bar('Avanzamento di Turbogas Brindisi')).toHaveAttribute('aria-valuenow', '25');
  await expect(bar('Spesa di Turbogas Brindisi')).toHaveAttribute('aria-valuetext', '125% della proiezione');
  await expectAccessible(page);
  await expectToFit(page);

  await card.getByRole('button', { name: '2 persone' }).click();
  const team = page.getByRole('dialog', { name: 'Team Turbogas Brindisi' });
  await team.getByLabel('Stato di Mario Rossi').selectOption('Rientrato');
  await expect(page.getByText('Stato dipendente aggiornato')).toBeVisible();
  await expectAccessible(page);
  await team.getByRole('button', { name: 'Aggiungi o togli persone' }).click();

  const edit = page.getByRole('dialog', { name: 'Modifica Turbogas Brindisi' });
  await edit.getByRole('checkbox', { name: 'Bruna Alfieri - Ingegnere' }).uncheck();
  await edit.getByLabel('Nome Progetto').fill('Turbogas Sud');
  await edit.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Progetto aggiornato')).toBeVisible();
  // The notice of the creation is updated too.
  const notice = page.getByRole('note', { name: 'Progetto creato con successo!' });
  for (const shown of [card, notice]) {
    await expect(shown).toContainText('Turbogas Sud');
    await expect(shown.getByRole('button', { name: '1 persona' })).toBeVisible();
  }
  // Neither is announced: the toasts were.
  await expect(notice.getByRole('alert')).toHaveCount(0);

  await card.getByRole('button', { name: 'Segna come completato' }).click();
  await expect(page.getByText('Progetto completato')).toBeVisible();
  // The only card is gone.
  await expect(page.getByRole('heading', { name: 'Progetti Attivi' })).toBeFocused();
  // The notice stays even when no list shows the project.
  await page.getByLabel('Filtra per stato').selectOption('In corso');
  const none = page.getByRole('status').filter({ hasText: 'Nessun progetto corrisponde alla ricerca' });
  await expect(none).toHaveCount(1);
  await expect(notice).toContainText('Turbogas Sud');
  await notice.getByRole('button', { name: 'Chiudi' }).press('Enter');
  await expect(notice).toBeHidden();
  await expect(title).toBeFocused();
  await page.getByLabel('Filtra per stato').selectOption('Tutti gli stati');
  await page.getByRole('button', { name: 'Riapri progetto: Turbogas Sud' }).click();
  await expect(page.getByText('Progetto riaperto')).toBeVisible();

  await card.getByRole('button', { name: 'Elimina Turbogas Sud' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Elimina progetto' });
  await expect(confirmation).toContainText('Turbogas Sud');
  await expect(confirmation).toContainText('la loro cronologia e le fatture restano');
  await confirmation.getByRole('button', { name: 'Elimina', exact: true }).click();
  await expect(page.getByText('Progetto eliminato con successo!')).toBeVisible();
  await expect(page.getByText('Turbogas Sud')).toHaveCount(0);
});

test('after a project is deleted, the focus is on the name of the next one, in the cards and in the table', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  for (const name of ['Diga', 'Ponte', 'Viadotto']) await app.make.project(user, { name });
  const page = await openAs(user);
  await page.goto(PROJECTS_PATH);
  const remove = async (part: Locator, name: string) => {
    await part.getByRole('button', { name: `Elimina ${name}` }).press('Enter');
    const confirmation = page.getByRole('dialog', { name: 'Elimina progetto' });
    // Until then the dialog may still give it the focus.
    await expect(confirmation.getByRole('button', { name: 'Annulla' })).toBeFocused();
    await confirmation.getByRole('button', { name: 'Elimina', exact: true }).press('Enter');
    await expect(part.getByText(name, { exact: true })).toHaveCount(0);
  };
  const cards = page.getByRole('list', { name: 'Progetti attivi' });
  await remove(cards, 'Viadotto');
  await expect(cards.getByRole('heading', { name: 'Ponte' })).toBeFocused();
  const table = page.getByRole('table', { name: 'Tutti i progetti' });
  await remove(table, 'Ponte');
  await expect(table.getByRole('rowheader', { name: 'Diga' })).toBeFocused();
});

test('projects of one name are told apart, also by who is about to delete one', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  for (const location of ['Priolo', 'Modena']) await app.make.project(user, { name: 'Revamping', location });
  await app.make.project(user, { name: 'Diga' });
  const [first, second] = ['2026-01-05', '2026-03-02'] as [CalendarDate, CalendarDate];
  for (const startDate of [first, second])
    await app.make.project(user, { name: 'Fermata', location: 'Gela', startDate });
  const earlier = `Fermata (Gela, ${period(first, addDays(first, 30))})`;
  const page = await openAs(user);
  await page.goto(PROJECTS_PATH);
  for (const list of [
    page.getByRole('list', { name: 'Progetti attivi' }),
    page.getByRole('table', { name: 'Tutti i progetti' }),
  ]) {
    await expect(list.getByRole('button', { name: 'Elimina Diga', exact: true })).toBeVisible();
    const buttons = await list.getByRole('button').all();
    const names = await Promise.all(buttons.map((button) => button.getAttribute('aria-label')));
    expect(names).toContain('Elimina Revamping (Modena)');
    expect(names).toEqual([...new Set(names)]);
    await list.getByRole('button', { name: 'Elimina Revamping (Modena)' }).click();
    const question = page.getByRole('dialog', { name: 'Elimina progetto' });
    await expect(question).toContainText(/Vuoi eliminare Revamping \(Modena, [^)]+\)\? Il progetto/);
    await question.getByRole('button', { name: 'Annulla' }).click();
    await expect(question).toBeHidden();
    await list.getByRole('button', { name: `Elimina ${earlier}` }).click();
    await expect(question).toContainText(`Vuoi eliminare ${earlier}?`);
    await question.getByRole('button', { name: 'Annulla' }).click();
    await expect(question).toBeHidden();
  }
  const table = page.getByRole('table', { name: 'Tutti i progetti' });
  for (const place of ['Modena', 'Priolo']) {
    await table.getByRole('button', { name: `Dettagli di Revamping (${place})` }).click();
    await expect(table.getByRole('link', { name: `Fatture: Revamping (${place})` })).toBeVisible();
    await expect(
      table.getByRole('button', { name: `Chiedi una trasferta: Revamping (${place})` }),
    ).toBeVisible();
  }

  await page.getByRole('tab', { name: 'Team' }).click();
  await page.getByRole('button', { name: 'Distribuzione Team' }).click();
  const sites = page.getByRole('region', { name: 'Distribuzione Team' }).getByRole('listitem');
  await expect(sites.filter({ hasText: 'Modena' })).toHaveText(/^RevampingModena0/);
  for (const startDate of [first, second])
    await expect(sites.filter({ hasText: period(startDate, addDays(startDate, 30)) })).toHaveText(
      /^FermataGela/,
    );
});

test('rows of a spreadsheet pasted into a new project are its new employees', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  const dialog = await openNewProject(page);
  await dialog.getByLabel('Nome Progetto').fill('Acquedotto del Fiora');
  await dialog.getByLabel('Località').fill('Grosseto');
  const add = dialog.getByRole('button', { name: 'Aggiungi dipendente' });
  const row = (number: number) =>
    dialog.getByRole('group', { name: `Nuovo dipendente ${number}`, exact: true });
  const paste = (text: string) =>
    row(1)
      .getByLabel('Nome', { exact: true })
      .evaluate((field, pasted) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', pasted);
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        field.dispatchEvent(event);
        return event.defaultPrevented;
      }, text);
  await add.click();
  await add.click();
  await expect(row(2).getByLabel('Nome', { exact: true })).toBeFocused();
  // A single word, even with the line break of its cell, is left to the field.
  expect(await paste('Ada\r\n')).toBe(false);
  const crew = (length: number) => Array.from({ length }, (_, index) => `Ugo ${index}\tBianchi`).join('\r\n');
  expect(await paste(crew(201))).toBe(true);
  await expect(page.getByText('Al massimo 200 nuovi dipendenti alla volta')).toBeVisible();
  expect(await paste('Cognome\tNome\tMansione\r\nBo\tIvo\tTECNICO\r\nDe Luca\tPiero\tGruista\r\n')).toBe(
    true,
  );
  await expect(dialog.getByText('Team: 1 persona')).toBeVisible();
  await expect(row(1).getByLabel('Nome', { exact: true })).toHaveValue('Ivo');
  await expect(row(1).getByLabel('Cognome')).toHaveValue('Bo');
  await expect(row(1).getByLabel('Ruolo')).toHaveValue('Tecnico');
  // What a new employee of a project has no field for is said to be left out.
  expect(await paste('Nome;Cognome;Ruolo;Telefono\nIvo;Bo;Tecnico;333 1234567\nPiero;De Luca;Gruista;')).toBe(
    true,
  );
  await expect(page.getByText('Reparto, email e telefono non si aggiungono da qui')).toBeVisible();
  for (const number of [3, 3])
    await dialog.getByRole('button', { name: `Rimuovi nuovo dipendente ${number}` }).click();
  // A role that is not in the list is left to be chosen, and the row says so.
  const hint = 'Servono nome, cognome e ruolo: altrimenti questa persona non viene aggiunta.';
  await expect(row(2)).toHaveAccessibleDescription(hint);
  await row(2).getByLabel('Ruolo').selectOption('Cantierista');
  await expect(row(3)).toHaveCount(0);
  // A blank row takes no place from those pasted, and none is added with which the project would be refused.
  await add.click();
  await expect(row(3).getByLabel('Nome', { exact: true })).toBeFocused();
  expect(await paste(crew(198))).toBe(true);
  await expect(row(200)).toBeVisible();
  await add.click();
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  await expect(
    page.getByText('198 persone non sono state aggiunte: servono nome, cognome e ruolo.'),
  ).toBeVisible();
  await page
    .getByRole('note', { name: 'Progetto creato con successo!' })
    .getByRole('button', { name: '2 persone' })
    .click();
  const team = page.getByRole('dialog', { name: 'Team Acquedotto del Fiora' });
  for (const name of ['Ivo Bo', 'Piero De Luca']) await expect(team.getByText(name)).toBeVisible();
});

test('a project without its required fields is rejected, and the first one gets the focus', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  const dialog = await openNewProject(page);
  const start = dialog.getByRole('textbox', { name: 'Data Inizio' });
  const end = dialog.getByRole('textbox', { name: 'Data Fine' });
  await start.fill('12/03/2027');
  await end.fill('11/03/2027');
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  await expect(dialog.getByText('Il nome del progetto è obbligatorio')).toBeVisible();
  await expect(
    dialog.getByText('La data di fine non può precedere la data di inizio', { exact: true }),
  ).toBeVisible();
  await start.fill('31/02/2027');
  await end.fill('');
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  await expect(dialog.getByText('La località è obbligatoria')).toBeVisible();
  await expect(dialog.getByText('Data non valida. Usa il formato gg/mm/aaaa.')).toBeVisible();
  await expect(page.getByText('Nome progetto e località sono campi obbligatori.')).toBeVisible();
  await expect(dialog.getByLabel('Nome Progetto')).toBeFocused();
  await dialog.getByLabel('Nome Progetto').fill('Diga');
  await dialog.getByLabel('Località').fill('Avise');
  await expect(page.getByText('Nome progetto e località sono campi obbligatori.')).toBeHidden();

  // The numeric keypad of a phone has no separator.
  await start.fill('');
  await start.pressSequentially('12032088');
  await dialog.getByLabel('Località').focus();
  await expect(start).toHaveValue('12/03/2088');

  // A two-digit year is accepted, and an empty end date is valid with a future start.
  await start.fill('12/03/88');
  await dialog.getByLabel('Località').focus();
  await expect(start).toHaveValue('12/03/2088');
  await expect(end).toHaveAccessibleDescription('Se non la indichi: il giorno di inizio');
  await dialog.getByLabel('Località').press('Enter');
  await expect(page.getByRole('cell', { name: '12/03/2088', exact: true })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'Senza proiezione' })).toContainText('spesi € 0,00');
  await expect(page.getByRole('list', { name: 'Progetti attivi' })).toContainText('Senza proiezione');
});

test('saving or deleting a record that is already gone updates the list and says so', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 404/);
  const user = await app.make.user();
  await app.make.project(user, { name: 'Svanito' });
  await app.make.employee(user, { name: 'Ida Fiori' });
  const [page, other] = [await openAs(user), await openAs(user)];
  const remove = async (tab: Page, name: string) => {
    await tab.bringToFront();
    await tab
      .getByRole('button', { name: `Elimina ${name}` })
      .first()
      .click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Elimina', exact: true }).click();
  };
  const gone = page.getByText('Non esiste più: la pagina è aggiornata.');
  for (const tab of [page, other]) await tab.goto(PROJECTS_PATH);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Modifica Svanito' }).first().click();
  const edit = page.getByRole('dialog', { name: 'Modifica Svanito' });
  await edit.getByLabel('Nome Progetto').fill('Ancora qui');
  await remove(other, 'Svanito');
  await expect(other.getByText('Svanito')).toHaveCount(0);
  await page.bringToFront();
  await edit.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(gone).toBeVisible();
  await expect(edit).toBeHidden();
  await expect(page.getByText('Svanito')).toHaveCount(0);

  for (const tab of [page, other]) await tab.goto(`${PROJECTS_PATH}?tab=team`);
  await expect(page.getByRole('button', { name: 'Elimina Ida Fiori' })).toBeVisible();
  await remove(other, 'Ida Fiori');
  await expect(other.getByRole('button', { name: 'Elimina Ida Fiori' })).toBeHidden();
  await remove(page, 'Ida Fiori');
  await expect(gone).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Elimina Ida Fiori' })).toBeHidden();
});

test('a name without spaces leaves the notices of a project whole on a phone, and its icons in line', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const name = 'supercalifragilistichespiralidoso'.repeat(3);
  const project = await app.make.project(user, { name });
  await app.make.employee(user, { name: 'Ada Neri' }, project);
  const page = await openAs(user);
  await page.setViewportSize({ width: 360, height: 740 });
  /** How much of a notice is cut off, in pixels. */
  const cutOff = (notice: Locator) => notice.evaluate((box) => box.scrollWidth - box.clientWidth);
  const dialog = await openNewProject(page);
  await dialog.getByLabel('Nome Progetto').fill(name);
  await dialog.getByLabel('Località').fill('Rho');
  await dialog.getByRole('checkbox', { name: /^Ada Neri/ }).check();
  expect(await cutOff(dialog.getByRole('note', { name: /altra trasferta/ }))).toBe(0);
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  const notice = page.getByRole('note', { name: 'Progetto creato con successo!' });
  await expect(notice).toContainText(name);
  expect(await cutOff(notice)).toBe(0);

  const card = page.getByRole('list', { name: 'Tutti i progetti' }).getByRole('listitem').first();
  const leftOf = (part: Locator) => part.evaluate((box) => box.getBoundingClientRect().left);
  const firstIcon = card.getByRole('button', { name: /^Segna come completato/ }).locator('svg');
  expect(await leftOf(firstIcon)).toBeCloseTo(await leftOf(card.getByText('Località')), 0);
});

test('the draft of a project survives a reload and can be reset', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  // So many that the last one is not on the first page.
  await app.make.sql(
    `insert into employees (user_id, name, role)
      select $1, 'Operaio ' || lpad(n::text, 3, '0'), 'Tecnico' from generate_series(1, 101) n`,
    [user.id],
  );
  await app.make.employee(user, { name: 'Zita Zoli' }, await app.make.project(user, { name: 'Porto' }));
  const page = await openAs(user);
  const dialog = await openNewProject(page);
  await dialog.getByLabel('Nome Progetto').fill('Bozza');
  await dialog.getByLabel('Cerca per nome, ruolo o progetto').fill('Zita');
  const chosen = dialog.getByRole('checkbox', { name: 'Zita Zoli - Tecnico' });
  await chosen.check();
  await page.reload();
  // So that "back" stays in the application.
  for (const name of ['Team', 'Progetti']) await page.getByRole('tab', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  await expect(dialog.getByLabel('Nome Progetto')).toHaveValue('Bozza');
  await expect(dialog.getByText('1 persona ha un’altra trasferta negli stessi giorni')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Mostra solo chi è scelto' }).check();
  await expect(chosen).toBeChecked();
  const restart = dialog.getByRole('button', { name: 'Ricomincia da capo' });
  const question = page.getByRole('dialog', { name: 'Ricominciare da capo?' });
  const cancel = question.getByRole('button', { name: 'Annulla' });
  for (const leave of [() => cancel.click(), () => page.keyboard.press('Escape'), () => page.goBack()]) {
    await restart.click();
    await expect(cancel).toBeFocused();
    await leave();
    await expect(question).toHaveCount(0);
    await expect(restart).toBeFocused();
    await expect(dialog.getByLabel('Nome Progetto')).toHaveValue('Bozza');
  }
  await restart.click();
  await question.getByRole('button', { name: 'Ricomincia' }).click();
  await expect(question).toHaveCount(0);
  await expect(dialog.getByLabel('Nome Progetto')).toHaveValue('');
  await expect(dialog.getByLabel('Nome Progetto')).toBeFocused();
  // However the dialog is closed, only that button removes what was typed.
  await dialog.getByLabel('Nome Progetto').fill('Bozza');
  await dialog.getByRole('button', { name: 'Annulla' }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  await expect(dialog.getByText('Abbiamo ritrovato quello che avevi scritto.')).toBeVisible();
  await expect(dialog.getByLabel('Nome Progetto')).toHaveValue('Bozza');
});

test('a created project is not created again after a reload while the lists are loading', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  const dialog = await openNewProject(page);
  await dialog.getByLabel('Nome Progetto').fill('Diga');
  await dialog.getByLabel('Località').fill('Avise');
  // The lists are read, so that the next reading is the one after the creation.
  await expect(page.getByRole('heading', { name: 'Tutti i Progetti', includeHidden: true })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.route('**/api/projects?*', () => {});
  const reading = page.waitForRequest('**/api/projects?*');
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  await reading;
  await page.unroute('**/api/projects?*');
  await page.reload();
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  await expect(dialog.getByLabel('Nome Progetto')).toHaveValue('');
  const below = page.getByRole('list', { name: 'Progetti attivi', includeHidden: true });
  await expect(below).toContainText('Diga');
});

test('a failed creation of a project says why and keeps the input', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  const refusals = [
    { status: 500, json: {}, says: 'Errore durante la creazione del progetto' },
    {
      status: 403,
      json: { error: { code: 'forbidden', message: 'motivo' } },
      says: 'Errore nella creazione del progetto: motivo',
    },
    { status: 201, json: null, says: 'Nessun dato ritornato dalla creazione del progetto' },
    { status: 401, json: {}, says: 'Devi essere autenticato per creare un progetto' },
  ];
  problems.expect(/status of (500|403|401|422)/);
  const user = await app.make.user();
  const page = await openAs(user);
  const dialog = await openNewProject(page);
  await dialog.getByLabel('Nome Progetto').fill('Diga');
  await dialog.getByLabel('Località').fill('Avise');
  for (const { status, json, says } of refusals) {
    await answerOnce(page, 'projects', (route) => route.fulfill({ status, json }));
    await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
    await expect(dialog.getByText(says, { exact: true })).toBeVisible();
    await expect(
      page.getByText('Si è verificato un errore durante la creazione del progetto.'),
    ).toBeVisible();
    await expect(dialog.getByLabel('Nome Progetto')).toHaveValue('Diga');
  }

  // A team that has become too large meanwhile.
  await app.make.employee(user);
  await page.reload();
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  const says = 'Al massimo 2.000 persone';
  await answerOnce(page, 'projects', (route) =>
    route.fulfill({
      status: 422,
      json: { error: { code: 'invalid_input', message: 'motivo', fields: { employeeIds: says } } },
    }),
  );
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  const people = dialog.getByLabel('Cerca per nome, ruolo o progetto');
  await expect(people).toBeFocused();
  await expect(people).toHaveAccessibleDescription(says);
});

test('assigning an employee to two places on the same days warns but does not block', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const today = todayInRome();
  // Until tomorrow, lest midnight come between them.
  const tomorrow = addDays(today, 1);
  const project = await app.make.project(user, { name: 'Porto', startDate: today, endDate: tomorrow });
  await app.make.employee(user, { name: 'Ada Neri' }, project);
  await app.make.employee(user, { name: 'Bice Rosa' });
  const page = await openAs(user);
  const dialog = await openNewProject(page);
  await dialog.getByLabel('Nome Progetto').fill('Faro');
  await dialog.getByLabel('Località').fill('Vieste');
  await dialog.getByRole('checkbox', { name: 'Bice Rosa - Tecnico' }).check();
  await dialog.getByRole('checkbox', { name: 'Ada Neri - Tecnico' }).check();
  await expect(dialog.getByText('1 persona ha un’altra trasferta negli stessi giorni')).toBeVisible();
  await expect(
    dialog.getByText(`Ada Neri: Porto, ${period(today, tomorrow)}`, { exact: true }),
  ).toBeVisible();
  const heard = await listenToStatus(page);
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  await expect(page.getByText('Progetto creato con successo!')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect((await heard()).join(), 'nobody is said to be on the new project twice').not.toContain('Bice Rosa');

  await page.getByRole('tab', { name: 'Team' }).click();
  await expect(page.getByText('Ada Neri è su più progetti negli stessi giorni.')).toBeVisible();
  await expect(page.getByText('date sovrapposte').first()).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  const calendar = page.getByRole('region', { name: 'Calendario trasferte' });
  await calendar.getByText('Progetti', { exact: true }).click();
  await expect(calendar.getByText('in corso', { exact: true })).toBeVisible();
  for (const ofPeople of ['date sovrapposte', 'giorni liberi fra due progetti'])
    await expect(calendar.getByText(ofPeople)).toHaveCount(0);
  await calendar.getByText('Persone', { exact: true }).click();
  await page.getByText('Tabella', { exact: true }).click();
  await expect(
    calendar
      .getByRole('row', { name: /Ada Neri/ })
      .or(calendar.getByRole('listitem').filter({ hasText: 'Ada Neri' })),
  ).toContainText('Porto');
});

test('a customer without records sees marked, read-only examples', async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto(PROJECTS_PATH);
  const cards = page.getByRole('list', { name: 'Progetti attivi' });
  await expect(cards.getByText('Esempio', { exact: true })).toBeVisible();
  const deletion = cards.getByRole('button', { name: /^Elimina/ });
  await expect(deletion).toBeDisabled();
  const why = 'Gli esempi non si modificano né si eliminano.';
  await expect(page.getByRole('note', { name: 'Non hai ancora progetti' })).toContainText(why);
  // Also by key one comes to it, and hears why nothing happens.
  await cards.getByRole('button', { name: /: team di / }).press('Shift+Tab');
  await expect(deletion).toBeFocused();
  await expect(deletion).toHaveAccessibleDescription(why);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectAccessible(page);
  await cards.getByRole('button', { name: /: team di / }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Il team di un esempio non si modifica.');
  await expectAccessible(page);
  // Not by Esc, which may close the card of the member that the pointer has come to rest on.
  await dialog.getByRole('button', { name: 'Chiudi' }).click();
  await page.getByRole('tab', { name: 'Team' }).click();
  const none = page.getByRole('note', { name: /^Nessun dipendente trovato\. Crea un progetto per iniziare/ });
  await expect(none).toBeVisible();
  await expect(page.getByLabel('Stato di Marco Ferrari')).toBeDisabled();
  await expect(page.locator('dl').getByText('Esempio', { exact: true })).toHaveCount(5);
  const calendar = page.getByRole('region', { name: 'Calendario trasferte' });
  await expect(calendar.getByText('Esempio', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Elimina Marco Ferrari' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Elimina Marco Ferrari' })).toHaveAccessibleDescription(why);
  await expectAccessible(page);
  await expectToFit(page);
});

test('after the session has ended, each action says what could not be done', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 401/);
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Viadotto' });
  await app.make.employee(user, { name: 'Ugo Bassi', status: 'in trasferta' }, project);
  const page = await openAs(user);
  const remove = async (name: string) => {
    await page
      .getByRole('button', { name: `Elimina ${name}` })
      .first()
      .click();
    await page.context().clearCookies();
    await page.getByRole('dialog').getByRole('button', { name: 'Elimina', exact: true }).click();
  };
  const attempts = [
    {
      at: PROJECTS_PATH,
      attempt: () => remove('Viadotto'),
      says: 'Devi essere autenticato per eliminare un progetto',
    },
    {
      at: `${PROJECTS_PATH}?tab=team`,
      attempt: () => remove('Ugo Bassi'),
      says: 'Devi essere autenticato per eliminare un dipendente',
    },
    {
      at: `${PROJECTS_PATH}?tab=team`,
      attempt: async () => {
        await page.context().clearCookies();
        await page.getByLabel('Stato di Ugo Bassi').selectOption('Rientrato');
      },
      says: 'Devi essere autenticato per aggiornare lo stato',
    },
    {
      at: `${PROJECTS_PATH}?tab=team`,
      attempt: async () => {
        await page.getByRole('button', { name: 'Importa elenco' }).click();
        const dialog = page.getByRole('dialog', { name: 'Importa elenco del personale' });
        await dialog.getByLabel('Elenco del personale').fill('Nome;Cognome\nMario;Rossi');
        const send = dialog.getByRole('button', { name: 'Importa 1 persona' });
        await expect(send).toBeEnabled();
        await page.context().clearCookies();
        await send.click();
      },
      says: 'Devi essere autenticato per aggiungere un dipendente',
    },
  ];
  for (const { at, attempt, says } of attempts) {
    await app.signIn(page.context(), user);
    // A pending read would meet the ended session first.
    await page.goto(at);
    await expect(page.getByRole('button', { name: /^Elimina / }).first()).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await attempt();
    await expect(page).toHaveURL('/login');
    await expect(page.getByRole('alert').filter({ hasText: says })).toBeVisible();
  }
});

test('an icon button shows a tooltip on hover and on keyboard focus', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  await app.make.project(user, { name: 'Viadotto', status: 'In corso' });
  const page = await openAs(user);
  await page.goto('/app/progetti-team');
  const table = page.getByRole('table', { name: 'Tutti i progetti' });
  const button = table.getByRole('button', { name: 'Segna come completato: Viadotto' });
  const hint = page.getByRole('tooltip', { name: 'Segna come completato' });
  await button.hover();
  await expect(hint).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(hint).toBeHidden();
  await page.getByRole('heading', { level: 1 }).hover();
  await button.hover();
  await expect(hint).toBeVisible();
  // The pointer can reach it, across the gap between them, and rest there.
  await hint.hover();
  await page.clock.install();
  await page.clock.runFor(1000);
  await expect(hint).toBeVisible();
  await page.getByRole('heading', { level: 1 }).hover();
  await page.clock.runFor(1000);
  await expect(hint).toBeHidden();
  await table.getByRole('button', { name: 'Modifica Viadotto' }).focus();
  await page.keyboard.press('Shift+Tab');
  await expect(button).toBeFocused();
  await expect(hint).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(hint).toBeHidden();
});

test('every icon button names itself where the pointer rests on it, until it is pressed', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.project(user, { name: 'Viadotto', status: 'In corso' });
  const page = await openAs(user);
  await page.goto(PROJECTS_PATH);
  const shown = page.getByRole('tooltip');
  const card = page.getByRole('list', { name: 'Progetti attivi' });
  const table = page.getByRole('table', { name: 'Tutti i progetti' });
  const within = page.getByRole('dialog', { name: 'Modifica Viadotto' });
  for (const [region, name] of [
    [page, 'Menu laterale'],
    [card, 'Elimina Viadotto'],
    [table, 'Dettagli di Viadotto'],
    [table, 'Elimina Viadotto'],
    [card, 'Modifica Viadotto'],
  ] as const) {
    await region.getByRole('button', { name, exact: true }).hover();
    await expect(shown).toHaveText(name);
  }
  await card.getByRole('button', { name: 'Modifica Viadotto' }).click();
  await expect(within).toBeVisible();
  await expect(shown).toHaveCount(0);
  await within.getByRole('button', { name: 'Seleziona data: Data Inizio' }).hover();
  await expect(shown).toHaveText('Seleziona data: Data Inizio');
  // The focus may move after the pointer has come to rest.
  await within.getByRole('button', { name: 'Seleziona data: Data Fine' }).hover();
  await within.getByRole('textbox', { name: 'Località' }).focus();
  await expect(shown).toHaveText('Seleziona data: Data Fine');

  const beginner = await openAs(await app.make.user());
  await beginner.goto(PROJECTS_PATH);
  await beginner
    .getByRole('button', { name: /^Elimina / })
    .first()
    .hover({ force: true });
  await expect(beginner.getByRole('tooltip')).toHaveText('Gli esempi non si modificano né si eliminano.');
});
