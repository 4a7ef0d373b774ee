import type { Locator, Page, Route } from '@playwright/test';
import { addDays, formatDate, startOfMonth, todayInRome } from '#contract/dates.ts';
import { expectAccessible } from './support/accessibility.ts';
import { answerOnce } from './support/answer-once.ts';
import { LONGEST } from './support/extremes.ts';
import { expectToFit, expectWholeWords } from './support/layout.ts';
import { expect, test } from './support/test.ts';

const path = '/app/progetti-team';

async function openNewProject(page: Page) {
  await page.goto(path);
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  return page.getByRole('dialog', { name: 'Crea Nuovo Progetto' });
}

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
  // The toast is beside the title of the page or below it.
  const [said, title] = [
    page.getByText('Progetto creato', { exact: true }),
    page.getByRole('heading', { level: 1 }),
  ];
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
  // The update is not announced as a new alert.
  await expect(notice.getByRole('alert')).toHaveText('Progetto creato con successo!');

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
  await confirmation.getByRole('button', { name: 'Elimina', exact: true }).click();
  await expect(page.getByText('Progetto eliminato con successo!')).toBeVisible();
  await expect(page.getByText('Turbogas Sud')).toBeHidden();
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
  await expect(dialog.getByText('La data di fine non può precedere la data di inizio.')).toBeVisible();
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
  for (const tab of [page, other]) await tab.goto(path);
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

  for (const tab of [page, other]) await tab.goto(`${path}?tab=team`);
  await expect(page.getByRole('button', { name: 'Elimina Ida Fiori' })).toBeVisible();
  await remove(other, 'Ida Fiori');
  await expect(other.getByRole('button', { name: 'Elimina Ida Fiori' })).toBeHidden();
  await remove(page, 'Ida Fiori');
  await expect(gone).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Elimina Ida Fiori' })).toBeHidden();
});

test('the card of a team member opens after 700 ms of pointing and closes 300 ms after', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga di Ridracoli', location: 'Bagno di Romagna' });
  await app.make.employee(user, { name: 'Mario Rossi', role: 'Tecnico', status: 'in trasferta' }, project);
  const page = await openAs(user);
  await page.clock.install();
  await page.goto(path);
  await page.getByRole('button', { name: '1 persona' }).first().click();
  const team = page.getByRole('dialog', { name: 'Team Diga di Ridracoli' });
  const person = team.getByText('Mario Rossi');
  await person.waitFor();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const card = page.getByRole('term').filter({ hasText: 'Località' }).locator('..');
  await person.hover();
  await page.clock.runFor(699);
  await expect(card).toBeHidden();
  await page.clock.runFor(1);
  await expect(card).toBeVisible();
  await expect(card).toHaveText(
    /^Progetto\s*Diga di Ridracoli\s*Ruolo\s*Tecnico\s*Località\s*Bagno di Romagna\s*Stato\s*in trasferta$/,
  );
  await page.mouse.move(0, 0);
  await page.clock.runFor(299);
  await expect(card).toBeVisible();
  await page.clock.runFor(1);
  await expect(card).toBeHidden();
});

test('the calendar opens with the focus on today, even before its code is loaded, or on the first possible day, and turns with PageDown', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto(path);
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  const dialog = page.getByRole('dialog', { name: 'Crea Nuovo Progetto' });
  const calendar = page.getByRole('dialog', { name: 'Seleziona data' });
  for (const label of ['Data Inizio', 'Data Fine']) {
    const pick = dialog.getByRole('button', { name: `Seleziona data: ${label}` });
    await pick.press('Enter');
    await expect(calendar.locator('[aria-current="date"]')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('textbox', { name: label })).toHaveValue(formatDate(todayInRome()));
    await expect(pick).toBeFocused();
  }
  const later = formatDate(addDays(todayInRome(), 45));
  await dialog.getByRole('textbox', { name: 'Data Inizio' }).fill(later);
  await dialog.getByRole('button', { name: 'Seleziona data: Data Fine' }).press('Enter');
  await expect(calendar.locator('[data-autofocus]')).toBeFocused();
  // Before the first possible day it stays there.
  for (const key of ['PageDown', 'PageUp', 'PageUp']) await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Data Fine' })).toHaveValue(later);
  await dialog.getByRole('textbox', { name: 'Data Fine' }).fill('31/01/2199');
  await dialog.getByRole('button', { name: 'Seleziona data: Data Fine' }).press('Enter');
  await expect(calendar.locator('[data-autofocus]')).toBeFocused();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Data Fine' })).toHaveValue('28/02/2199');
});

test('a long name in a team wraps only between words on a phone', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga' });
  await app.make.employee(user, { name: LONGEST.person, role: 'Capocantiere' }, project);
  const page = await openAs(user);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(path);
  await page.getByRole('button', { name: '1 persona' }).first().click();
  const name = page.getByRole('dialog', { name: 'Team Diga' }).getByText(LONGEST.person);
  await expect(name).toBeVisible();
  await expectWholeWords(name);
});

test('a location of one long word fits in the team dialog and in the card of a member', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const place = 'Llanfair'.repeat(15);
  const project = await app.make.project(user, { name: 'Diga', location: place });
  await app.make.employee(user, { name: 'Mario Rossi' }, project);
  const page = await openAs(user);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(path);
  await page.getByRole('button', { name: 'team di Diga' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Team Diga' });
  await dialog.getByText('Mario Rossi').hover();
  const card = page
    .getByRole('term')
    .filter({ hasText: 'Località' })
    .locator('../..')
    .filter({ hasText: 'Ruolo' });
  await card.waitFor();
  for (const frame of [dialog, card]) {
    const room = await frame.getByText(place).evaluate(
      (words, around) => {
        const written = document.createRange();
        written.selectNodeContents(words);
        return around ? around.getBoundingClientRect().right - written.getBoundingClientRect().right : 0;
      },
      await frame.elementHandle(),
    );
    expect(room).toBeGreaterThanOrEqual(0);
  }
});

test('a status can be changed in the team of a completed project', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga chiusa', status: 'Completato' });
  await app.make.employee(user, { name: 'Mario Rossi', status: 'in trasferta' }, project);
  const page = await openAs(user);
  await page.goto(path);
  await page.getByRole('button', { name: '1 persona' }).click();
  const status = page.getByRole('dialog', { name: 'Team Diga chiusa' }).getByLabel('Stato di Mario Rossi');
  await status.focus();
  await status.selectOption('Rientrato');
  await expect(page.getByText('Stato dipendente aggiornato')).toBeVisible();
  await expect(status).toHaveValue('Rientrato');
  await expect(status).toBeFocused();
});

test('after two failed changes of a status the value of the server is shown', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga' });
  await app.make.employee(user, { name: 'Mario Rossi', status: 'in trasferta' }, project);
  const page = await openAs(user);
  await page.goto(path);
  await page.getByRole('button', { name: '1 persona' }).first().click();
  const status = page.getByRole('dialog', { name: 'Team Diga' }).getByLabel('Stato di Mario Rossi');
  const held: Route[] = [];
  await page.route('**/api/employees/*/status', (route) => {
    held.push(route);
  });
  // Reads are held back until the end.
  const read = Promise.withResolvers<void>();
  await page.route(/\/api\/(projects|employees)\?/, (route) => read.promise.then(() => route.fallback()));
  await status.selectOption('Rientrato');
  await status.selectOption('in trasferta');
  await expect.poll(() => held.length).toBe(2);
  const told = page.getByRole('alert').filter({ hasText: "Errore durante l'aggiornamento dello stato" });
  for (const route of held) {
    await route.fulfill({ status: 500 });
    await expect(told).toBeVisible();
    await expect(status).toHaveValue('in trasferta');
    await told.getByRole('button').click();
  }
  read.resolve();
  await expect(status).toHaveValue('in trasferta');
});

test('a team is printed whole, without the page below it', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user);
  for (let number = 1; number <= 30; number += 1) await app.make.employee(user, {}, project);
  const page = await openAs(user);
  await page.goto(path);
  await page.getByRole('button', { name: '30 persone' }).first().click();
  const team = page.getByRole('dialog');
  await expect(team.getByRole('listitem')).toHaveCount(30);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  expect(await team.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  const height = (await team.boundingBox())?.height ?? 0;
  expect(await page.locator('html').evaluate(({ scrollHeight }) => scrollHeight)).toBeGreaterThanOrEqual(
    height,
  );
  await page.emulateMedia({ media: null });
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible();
});

test('a large team loads more members and focuses the first new one', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga' });
  for (let made = 1; made <= 32; made += 1)
    await app.make.employee(user, { name: `Persona ${String(made).padStart(2, '0')}` }, project);
  const page = await openAs(user);
  await page.goto(path);
  await page.getByRole('button', { name: '32 persone' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Team Diga' });
  await expect(dialog.getByText('30 di 32')).toBeVisible();
  await dialog.getByRole('button', { name: 'Mostra altri' }).click();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Persona 31' })).toBeFocused();
  await expect(dialog.getByRole('listitem')).toHaveCount(32);
});

test('results of the calendar and of the employee picker are announced', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  for (let made = 1; made <= 30; made += 1)
    await app.make.employee(user, { name: `Persona ${String(made).padStart(2, '0')}` });
  const expectedTwice = await app.make.employee(user, { name: 'Zita Zoli' });
  for (const name of ['Diga', 'Ponte']) {
    const startDate = startOfMonth(todayInRome(), 7);
    await app.make.assign(user, await app.make.project(user, { name, startDate }), expectedTwice);
  }
  const page = await openAs(user);
  await page.goto(`${path}?tab=team`);
  const calendar = page.getByRole('region', { name: 'Calendario trasferte' });
  await calendar.getByRole('button', { name: 'Mostra altre' }).click();
  await expect(calendar.getByRole('row', { name: /Persona 26/ })).toBeFocused();
  await expect(calendar.locator('[aria-hidden]').getByText('Persona 26')).toBeInViewport();

  /** The live regions that are there now: one that appears together with its text is often not announced. */
  const standing = async (scope: Locator) => {
    await scope.getByRole('status').evaluateAll((all) => {
      for (const status of all) status.dataset.stood = '';
    });
    return scope.locator('[role=status][data-stood]');
  };
  const told = await standing(calendar);
  await calendar.getByLabel('Cerca nel calendario').fill('nessuno così');
  await expect(told.filter({ hasText: 'Nessun risultato in questo periodo.' })).toBeVisible();
  const period = told.filter({ hasText: 'Chi è dove' });
  const before = await period.innerText();
  const finding = told.filter({ hasText: 'negli stessi giorni' });
  const found = 'Oggi sono in trasferta 31 persone. Nessuno è atteso in due posti negli stessi giorni.';
  await expect(finding).toHaveText(found);
  const { promise: arrived, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/projects/timeline?**', (route) => arrived.then(() => route.fallback()));
  await calendar.getByRole('button', { name: 'Periodo successivo' }).click();
  await expect(period).not.toHaveText(before);
  // While a period loads, nothing is said about it, and the result of the previous one is gone.
  await expect(calendar.getByText(found)).toBeHidden();
  await expect(calendar.locator('[aria-hidden]').getByText('Persona 26')).toBeHidden();
  await expect(calendar.getByRole('row')).toHaveCount(0);
  await expect(finding).toBeVisible();
  letGo();
  await expect(finding).toHaveText('Zita Zoli è su più progetti negli stessi giorni.');

  const dialog = await openNewProject(page);
  await expect(dialog.getByRole('checkbox', { name: /^Persona 01/ })).toBeVisible();
  const toldThere = await standing(dialog);
  await dialog.getByLabel('Cerca fra i dipendenti').fill('nessuno così');
  await expect(toldThere.filter({ hasText: 'Nessun dipendente corrisponde alla ricerca.' })).toHaveCount(1);
});

test('the calendar shows its months at once, and keeps them in place when people arrive', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.assign(user, await app.make.project(user), await app.make.employee(user));
  const page = await openAs(user);
  const { promise: arrived, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/projects/timeline?**', (route) => arrived.then(() => route.fallback()));
  await page.goto(`${path}?tab=team`);
  const calendar = page.getByRole('region', { name: 'Calendario trasferte' });
  const months = calendar.getByText(/^(gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic)/);
  const places = () => months.evaluateAll((all) => all.map((month) => month.getBoundingClientRect().top));
  await expect(months).toHaveCount(6);
  await expect(calendar.locator('[aria-busy=true]')).toHaveCount(1);
  const before = await places();
  letGo();
  await expect(calendar.locator('[aria-busy=true]')).toHaveCount(0);
  expect(await places()).toEqual(before);
});

test('a name without spaces leaves the notices of a project whole on a phone', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
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
});

test('Tab leads past the employees to choose from, and the arrow keys among them', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  for (let made = 1; made <= 40; made += 1)
    await app.make.employee(user, { name: `Persona ${String(made).padStart(2, '0')}` });
  const page = await openAs(user);
  const dialog = await openNewProject(page);
  const person = (number: string) => dialog.getByRole('checkbox', { name: `Persona ${number}` });
  await expect(person('01')).toBeVisible();
  await dialog.getByLabel('Cerca fra i dipendenti').focus();
  await page.keyboard.press('Tab');
  await expect(person('01')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(person('01')).toBeFocused();
  for (let pressed = 0; pressed < 50; pressed += 1) await page.keyboard.press('ArrowDown');
  await expect(person('40')).toBeFocused();
  await expect(person('40')).toBeInViewport();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  await expect(person('39')).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(dialog.getByLabel('Mostra solo chi è scelto')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(person('39')).toBeFocused();
  await expectAccessible(page);
});

test('the team is no longer filtered by a project that left the filter', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga' });
  await app.make.employee(user, { name: 'Ada Neri', status: 'in trasferta' }, project);
  await app.make.employee(user, { name: 'Bice Neri' });
  const page = await openAs(user);
  await page.goto(`${path}?tab=team`);
  const filter = page.getByLabel('Filtra per progetto');
  await filter.selectOption('Diga');
  await expect(page.getByText('1 di 1', { exact: true })).toBeVisible();
  await page.evaluate(
    (id) =>
      fetch(`/api/projects/${id}/status`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: '{"status":"Completato"}',
      }),
    project.id,
  );
  await page.getByLabel('Stato di Ada Neri').selectOption('Rientrato');
  await expect(filter.getByRole('option', { name: 'Diga' })).toHaveCount(0);
  await expect(filter).toHaveValue('');
  await expect(page.getByText('2 di 2', { exact: true })).toBeVisible();
});

test('the role filter finds employees without a role', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.employee(user, { name: 'Ada Neri', role: 'Tecnico' });
  await app.make.employee(user, { name: 'Bice Neri', role: 'Non specificato' });
  const page = await openAs(user);
  await page.goto(`${path}?tab=team`);
  const people = page.getByRole('region', { name: 'Team Completo' });
  await people.getByLabel('Filtra per ruolo').selectOption('Non specificato');
  await expect(people.locator('[data-entry]')).toHaveText([/Bice Neri/]);
  await page.reload();
  await expect(people.locator('[data-entry]')).toHaveText([/Bice Neri/]);
  await expect(people.getByLabel('Filtra per ruolo')).toHaveValue('Non specificato');
});

test('the address holds filters and order, and a hit of the palette replaces them', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const diga = await app.make.project(user, { name: 'Diga' });
  await app.make.project(user, { name: 'Argine', status: 'Completato' });
  await app.make.project(user, { name: 'Zattera', status: 'Completato' });
  await app.make.employee(user, { name: 'Ada Neri', role: 'Tecnico', status: 'in trasferta' }, diga);
  await app.make.employee(user, { name: 'Bice Neri', role: 'Tecnico', status: 'Rientrato' });
  await app.make.employee(user, { name: 'Carla Neri', role: 'Tecnico', status: 'Rientrato' });
  const page = await openAs(user);
  const follow = async (text: string, found: RegExp) => {
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Cerca' });
    await dialog.getByRole('combobox').fill(text);
    await expect(dialog.getByRole('option', { selected: true })).toHaveText(found);
    await page.keyboard.press('Enter');
  };

  await page.goto(`${path}?tab=team`);
  const people = page.getByRole('region', { name: 'Team Completo' });
  const names = people.locator('[data-entry]');
  await expect(people.getByText('3 di 3', { exact: true })).toBeVisible();
  await people.getByLabel('Filtra per stato').selectOption('Rientrato');
  await people.getByLabel('Filtra per ruolo').selectOption('Tecnico');
  await people.getByLabel('Filtra per progetto').selectOption('Senza progetto');
  await people.getByLabel('Ordina per').selectOption('Nome A–Z');
  await expect(names).toHaveText([/Bice Neri/, /Carla Neri/]);
  await page.reload();
  await expect(names).toHaveText([/Bice Neri/, /Carla Neri/]);
  await expect(people.getByLabel('Filtra per stato')).toHaveValue('Rientrato');
  await expect(people.getByLabel('Filtra per progetto').locator(':checked')).toHaveText('Senza progetto');
  await expect(people.getByLabel('Ordina per').locator(':checked')).toHaveText('Nome A–Z');
  await follow('ada neri', /Ada Neri/);
  await expect(names).toHaveText([/Ada Neri/]);
  await expect(people.getByLabel('Filtra per stato')).toHaveValue('');
  await page.goBack();
  await expect(names).toHaveText([/Bice Neri/, /Carla Neri/]);

  await page.goto(path);
  const projects = page.getByRole('region', { name: 'Tutti i Progetti' });
  await projects.getByLabel('Filtra per stato').selectOption('Completato');
  await projects.getByLabel('Ordina per').selectOption('Nome A–Z');
  const found = projects.locator('[data-entry]');
  await expect(found).toHaveText([/Argine/, /Zattera/]);
  await page.reload();
  await expect(found).toHaveText([/Argine/, /Zattera/]);
  await follow('diga', /Diga/);
  await expect(found).toHaveText([/Diga/]);
});

test('an employee who leaves a filtered list leaves the focus in it', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  for (const name of ['Ada Neri', 'Bice Neri'])
    await app.make.employee(user, { name, status: 'in trasferta' });
  await app.make.employee(user, { name: 'Carla Neri', status: 'disponibile' });
  const page = await openAs(user);
  await page.goto(`${path}?tab=team`);
  const entries = page.getByRole('region', { name: 'Team Completo' }).locator('[data-entry]');
  await expect(entries).toHaveCount(3);
  await page.getByLabel('Filtra per stato').selectOption('in trasferta');
  await expect(entries).toHaveCount(2);
  const status = page.getByLabel('Stato di Ada Neri');
  await status.focus();
  await status.selectOption('Rientrato');
  await expect(status).toBeHidden();
  await expect(entries.filter({ hasText: 'Bice Neri' })).toBeFocused();

  const dialog = await openNewProject(page);
  await dialog.getByRole('checkbox', { name: /^Ada Neri/ }).check();
  const chosenOnly = dialog.getByRole('checkbox', { name: 'Mostra solo chi è scelto' });
  await chosenOnly.check();
  await expect(dialog.getByRole('checkbox', { name: /^Bice Neri/ })).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: /^Ada Neri/ }).uncheck();
  await expect(dialog.getByLabel('Cerca fra i dipendenti')).toBeFocused();
  await expect(chosenOnly).not.toBeChecked();
});

test('a failed page of employees is retried once, then on request', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga' });
  await app.make.sql(
    `with crew as (insert into employees (user_id, name, role)
      select $1, 'Operaio ' || lpad(n::text, 3, '0'), 'Tecnico' from generate_series(1, 101) n returning id)
     insert into project_assignments (project_id, employee_id, user_id) select $2, id, $1 from crew`,
    [user.id, project.id],
  );
  await app.make.employee(user, { name: 'Zita Zoli' });
  const page = await openAs(user);
  await page.goto(path);
  const asked = { team: 0, everybody: 0 };
  let failing = true;
  await page.route('**/api/employees?*cursor=*', (route) => {
    asked[route.request().url().includes('projectId=') ? 'team' : 'everybody'] += 1;
    return failing ? route.fulfill({ status: 500, json: {} }) : route.fallback();
  });
  await page.getByRole('button', { name: 'Modifica Diga' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Modifica Diga' });
  const people = dialog.getByRole('group', { name: 'Dipendenti', exact: true });
  const again = people.getByRole('button', { name: 'Riprova' });
  const toTheEnd = () => people.evaluate((list) => list.scrollTo(0, list.scrollHeight));
  const person = (name: string) => people.getByRole('checkbox', { name: `${name} - Tecnico` });
  /** Keeps scrolling: the list renders only the rows in sight. */
  const findAtTheEnd = async (name: string) => {
    await expect
      .poll(async () => {
        await toTheEnd();
        return person(name).count();
      })
      .toBe(1);
    return person(name);
  };
  // The team is read in full, everybody else while scrolling.
  await expect(again).toBeAttached();
  await toTheEnd();
  await expect.poll(() => asked.everybody).toBe(2);
  await expect(again).toBeEnabled();
  await expectAccessible(page);
  await expectToFit(page);
  await dialog.getByLabel('Località').fill('Avise');
  expect(asked).toEqual({ team: 2, everybody: 2 });

  failing = false;
  await again.click();
  await expect(again).toHaveCount(0);
  await expect(people).toBeFocused();
  await expect(await findAtTheEnd('Zita Zoli')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Mostra solo chi è scelto' }).check();
  await expect(person('Zita Zoli')).toHaveCount(0);
  await expect(await findAtTheEnd('Operaio 101')).toBeChecked();
  expect(asked).toEqual({ team: 3, everybody: 3 });

  // Chosen employees are already loaded: a short list of them reads no further page.
  await dialog.getByLabel('Cerca fra i dipendenti').fill('operaio');
  await dialog.getByRole('checkbox', { name: 'Mostra solo chi è scelto' }).uncheck();
  await expect(dialog.getByText('101 dipendenti: cerca per trovarli prima.')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Mostra solo chi è scelto' }).check();
  await expect(await findAtTheEnd('Operaio 101')).toBeChecked();
  expect(asked.everybody).toBe(3);
});

test('the draft of a project survives a reload and can be reset', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  const dialog = await openNewProject(page);
  await dialog.getByLabel('Nome Progetto').fill('Bozza');
  await page.reload();
  // So that "back" stays in the application.
  for (const name of ['Team', 'Progetti']) await page.getByRole('tab', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  await expect(dialog.getByLabel('Nome Progetto')).toHaveValue('Bozza');
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
});

test('a created project is not created again after a reload while the lists are loading', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  const dialog = await openNewProject(page);
  await dialog.getByLabel('Nome Progetto').fill('Diga');
  await dialog.getByLabel('Località').fill('Avise');
  await page.route('**/api/projects?*', () => {});
  const reading = page.waitForRequest('**/api/projects?*');
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  await reading;
  await page.unroute('**/api/projects?*');
  await page.reload();
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  await expect(dialog.getByLabel('Nome Progetto')).toHaveValue('');
  await expect(page.getByRole('list', { name: 'Progetti attivi' })).toContainText('Diga');
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
  problems.expect(/status of (500|403|401)/);
  const page = await openAs(await app.make.user());
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
});

test('when two tabs edit one project, the later one is shown both versions', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 409/);
  const user = await app.make.user();
  await app.make.project(user, { name: 'Ponte' });
  const [first, second] = await Promise.all([openAs(user), openAs(user)]);
  for (const page of [first, second]) {
    await page.bringToFront();
    await page.goto(path);
    await page.getByRole('button', { name: 'Modifica Ponte' }).first().click();
  }
  const save = async (page: Page, name: string) => {
    await page.bringToFront();
    await page.getByLabel('Nome Progetto').fill(name);
    await page.getByRole('button', { name: 'Salva modifiche' }).click();
  };
  await save(first, 'Ponte Nord');
  await expect(first.getByText('Progetto aggiornato')).toBeVisible();
  await save(second, 'Ponte Sud');
  const notice = second.getByRole('note').filter({ hasText: 'Qualcuno ha modificato questi dati' });
  await expect(notice.getByRole('row', { name: 'Nome' })).toContainText('Ponte Sud');
  await expect(notice.getByRole('row', { name: 'Nome' })).toContainText('Ponte Nord');
  await expectAccessible(second);
  await notice.getByRole('button', { name: 'Salva la mia versione' }).click();
  await expect(second.getByText('Progetto aggiornato')).toBeVisible();
  await expect(second.getByRole('list', { name: 'Progetti attivi' })).toContainText('Ponte Sud');
});

test('on a phone the two versions of a project are shown with whole words, from the top', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Ponte' });
  await app.make.employee(user, { name: LONGEST.person }, project);
  const page = await openAs(user);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(path);
  await page.getByRole('button', { name: 'Modifica Ponte' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Modifica Ponte' });
  await dialog.getByLabel('Proiezione Spesa Totale (€)').fill('1.212.480,50');
  const data = { name: 'Ponte', location: LONGEST.project, projectedTotal: 1_312_480.5, version: 1 };
  expect((await page.request.patch(`/api/projects/${project.id}`, { data })).ok()).toBe(true);
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  const notice = dialog.getByRole('note', { name: /^Qualcuno ha modificato questi dati/ });
  await expect(notice).toBeVisible();
  await expectWholeWords(notice);
  await expect(notice.getByText('Qualcuno ha modificato')).toBeInViewport({ ratio: 1 });
  await expect(notice.getByRole('cell', { name: '0 persone', exact: true })).toBeVisible();
});

test('an edit whose answer was lost can be saved again, without a conflict with itself', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  for (const problem of [/ERR_FAILED/, /status of 409/]) problems.expect(problem);
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Ponte' });
  await app.make.employee(user, { name: 'Ada Neri' });
  const page = await openAs(user);
  await answerOnce(page, `projects/${project.id}`, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.goto(path);
  await page.getByRole('button', { name: 'Modifica Ponte' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Modifica Ponte' });
  await dialog.getByLabel('Nome Progetto').fill('Ponte Nord');
  await dialog.getByRole('checkbox', { name: 'Ada Neri - Tecnico' }).check();
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Connessione assente o instabile');
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Progetto aggiornato')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Progetti attivi' })).toContainText('Ponte Nord');
});

test('assigning an employee to two places on the same days warns but does not block', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Porto' });
  await app.make.employee(user, { name: 'Ada Neri' }, project);
  const page = await openAs(user);
  const dialog = await openNewProject(page);
  await dialog.getByLabel('Nome Progetto').fill('Faro');
  await dialog.getByLabel('Località').fill('Vieste');
  await dialog.getByRole('checkbox', { name: 'Ada Neri - Tecnico' }).check();
  await expect(dialog.getByText('1 persona ha un’altra trasferta negli stessi giorni')).toBeVisible();
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  await expect(page.getByText('Progetto creato con successo!')).toBeVisible();

  await page.getByRole('tab', { name: 'Team' }).click();
  await expect(page.getByText('Ada Neri è su più progetti negli stessi giorni.')).toBeVisible();
  await expect(page.getByText('date sovrapposte').first()).toBeVisible();
  await expectAccessible(page);
  await expectToFit(page);
  await page.getByText('Tabella', { exact: true }).click();
  const words = page.getByRole('region', { name: 'Calendario trasferte' });
  await expect(
    words
      .getByRole('row', { name: /Ada Neri/ })
      .or(words.getByRole('listitem').filter({ hasText: 'Ada Neri' })),
  ).toContainText('Porto');
});

test('a customer without records sees marked, read-only examples', async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto(path);
  const cards = page.getByRole('list', { name: 'Progetti attivi' });
  await expect(cards.getByText('Esempio', { exact: true })).toBeVisible();
  await expect(cards.getByRole('button', { name: /^Elimina/ })).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Team' }).click();
  await expect(page.getByLabel('Stato di Marco Ferrari')).toBeDisabled();
  await expect(page.locator('dl').getByText('Esempio', { exact: true })).toHaveCount(5);
  const calendar = page.getByRole('region', { name: 'Calendario trasferte' });
  await expect(calendar.getByText('Esempio', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Elimina Marco Ferrari' })).toBeDisabled();
  await expectAccessible(page);
  await expectToFit(page);
});

test('an employee is added, edited, viewed and deleted', async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Cava' });
  // More than one page of the list.
  for (let made = 0; made < 29; made += 1) await app.make.employee(user);
  await app.make.employee(user, { name: 'Ugo Bassi' }, project);
  const page = await openAs(user);
  await page.goto(`${path}?tab=team`);
  await page.getByRole('button', { name: 'Aggiungi dipendente' }).click();
  const add = page.getByRole('dialog', { name: 'Aggiungi dipendente' });
  await add.getByRole('button', { name: 'Aggiungi', exact: true }).click();
  await expect(add.getByText('Il nome è obbligatorio')).toBeVisible();
  await add.getByRole('textbox', { name: 'Nome', exact: true }).fill('Zita');
  await add.getByLabel('Cognome').fill('Gatti');
  await add.getByLabel('Ruolo').selectOption('Supervisore');
  await add.getByLabel('Telefono').fill('+39 333 1234567');
  await add.getByRole('button', { name: 'Aggiungi', exact: true }).click();
  await expect(page.getByText('Dipendente aggiunto con successo')).toBeVisible();

  await page.getByRole('button', { name: 'Modifica Zita Gatti' }).click();
  const edit = page.getByRole('dialog', { name: 'Modifica Zita Gatti' });
  await edit.getByLabel('Nome e cognome').fill('Zita Gatto');
  await edit.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Dipendente aggiornato')).toBeVisible();

  await page.getByRole('button', { name: 'Mostra i dettagli di Ugo Bassi' }).click();
  await expect(page.getByText('Cronologia delle assegnazioni')).toBeVisible();
  await expect(page.getByText(/assegnazione del/)).toBeVisible();

  await page.getByRole('button', { name: 'Elimina Zita Gatto' }).click();
  await page
    .getByRole('dialog', { name: 'Elimina dipendente' })
    .getByRole('button', { name: 'Elimina', exact: true })
    .click();
  await expect(page.getByText('Dipendente eliminato')).toBeVisible();
  await expect(page.getByText('Zita Gatto')).toBeHidden();

  await page.getByLabel('Cerca nome, ruolo, email o progetto').fill('nessuno così');
  await expect(
    page.getByRole('status').filter({ hasText: 'Nessun dipendente corrisponde alla ricerca' }),
  ).toBeVisible();
});

test('a failed change of a status is undone', { tag: '@once' }, async ({ app, openAs, problems }) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  await app.make.employee(user, { name: 'Ugo Bassi', status: 'in trasferta' });
  const page = await openAs(user);
  await page.route('**/api/employees/*/status', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(`${path}?tab=team`);
  const status = page.getByLabel('Stato di Ugo Bassi');
  await status.selectOption('Rientrato');
  await expect(page.getByText("Errore durante l'aggiornamento dello stato")).toBeVisible();
  await expect(status).toHaveValue('in trasferta');
});

test('failed changes of two statuses are undone independently', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  for (const name of ['Ada Neri', 'Bice Neri'])
    await app.make.employee(user, { name, status: 'in trasferta' });
  const page = await openAs(user);
  await page.goto(`${path}?tab=team`);
  const ada = page.getByLabel('Stato di Ada Neri');
  const bice = page.getByLabel('Stato di Bice Neri');
  await expect(ada).toHaveValue('in trasferta');
  const held: Route[] = [];
  // The lists are never answered: their data would overwrite what was undone.
  await page.route(/\/api\/employees[/?]/, (route) => {
    if (route.request().method() === 'PUT') held.push(route);
  });
  for (const [index, status] of [ada, bice].entries()) {
    await status.selectOption('Rientrato');
    await expect.poll(() => held.length).toBe(index + 1);
  }
  await held[0]?.fulfill({ status: 500, json: {} });
  await expect(ada).toHaveValue('in trasferta');
  await expect(bice).toHaveValue('Rientrato');
  await held[1]?.fulfill({ status: 500, json: {} });
  await expect(bice).toHaveValue('in trasferta');
  await expect(ada).toHaveValue('in trasferta');
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
      at: path,
      attempt: () => remove('Viadotto'),
      says: 'Devi essere autenticato per eliminare un progetto',
    },
    {
      at: `${path}?tab=team`,
      attempt: () => remove('Ugo Bassi'),
      says: 'Devi essere autenticato per eliminare un dipendente',
    },
    {
      at: `${path}?tab=team`,
      attempt: async () => {
        await page.context().clearCookies();
        await page.getByLabel('Stato di Ugo Bassi').selectOption('Rientrato');
      },
      says: 'Devi essere autenticato per aggiornare lo stato',
    },
    {
      at: `${path}?tab=team`,
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
    // A pending read would meet the ended session first. On a slow machine the network is also idle before they start.
    await page.goto(at, { waitUntil: 'networkidle' });
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
  await page.getByRole('heading', { level: 1 }).hover();
  await expect(hint).toBeHidden();
  await table.getByRole('button', { name: 'Modifica Viadotto' }).focus();
  await page.keyboard.press('Shift+Tab');
  await expect(button).toBeFocused();
  await expect(hint).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(hint).toBeHidden();
});

test('a crew list is previewed, corrected, and imported only when confirmed', async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.project(user, { name: 'Centrale' });
  await app.make.employee(user, { name: 'Nicolò Re' });
  const page = await openAs(user);
  await page.goto(`${path}?tab=team`);
  await page.getByRole('button', { name: 'Importa elenco' }).click();
  const dialog = page.getByRole('dialog', { name: 'Importa elenco del personale' });
  const list = dialog.getByLabel('Elenco del personale');
  await list.fill(`Nome;Cognome;Ruolo\nNicolò;Re;Tecnico\n${'Anna '.repeat(40)};Neri;Ingegnere`);
  // The name that is too long is not looked up; the others are.
  await expect(dialog.getByText('Una persona è già nel team con lo stesso nome.')).toBeVisible();
  await expect(dialog.getByText('Non riusciamo a controllare')).toBeHidden();
  await list.fill('Nome;Cognome;Ruolo\nMario;Rossi;Tecnico\nAnna;;Ingegnere');
  await expect(dialog.getByText('1 riga da correggere')).toBeVisible();
  await expect(dialog.getByText('Il cognome è obbligatorio')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Importa' })).toBeDisabled();
  await expectAccessible(page);
  await list.fill('Nome;Cognome;Ruolo\nMario;Rossi;Tecnico\nAnna;Neri;Ingegnere\nnicolo;RE;Tecnico');
  await expect(dialog.getByText('Una persona è già nel team con lo stesso nome.')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Non importare di nuovo chi è già nel team' }).uncheck();
  await expect(dialog.getByRole('button', { name: 'Importa 3 persone' })).toBeEnabled();
  await dialog.getByRole('checkbox', { name: 'Non importare di nuovo chi è già nel team' }).check();
  await expectToFit(page);
  await dialog.getByLabel('Progetto', { exact: true }).selectOption('Centrale');
  // A corrected file can be chosen again.
  const [file, again] = ['Nome;Cognome\nUgo;', 'Nome;Cognome\nMario;Rossi\nAnna;Neri'].map((text) => ({
    name: 'elenco.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  }));
  const choose = dialog.locator('input[type="file"]');
  // What a browser does when a file was moved or changed after it was chosen.
  await page.evaluate(() => {
    const { prototype } = File;
    const arrayBuffer = () => {
      Reflect.deleteProperty(prototype, 'arrayBuffer');
      return Promise.reject(new DOMException('gone', 'NotReadableError'));
    };
    Object.assign(prototype, { arrayBuffer });
  });
  if (file) await choose.setInputFiles(file);
  const unreadable = dialog.getByRole('alert').filter({ hasText: 'Non è stato possibile leggere il file' });
  await expect(unreadable).toBeVisible();
  if (file) await choose.setInputFiles(file);
  await expect(unreadable).toBeHidden();
  await expect(dialog.getByText('1 riga da correggere')).toBeVisible();
  await expect(choose).toHaveValue('');
  await choose.setInputFiles({
    name: 'archivio.csv',
    mimeType: 'text/csv',
    buffer: Buffer.alloc(5 * 1024 * 1024 + 1, 'x\n'),
  });
  await expect(dialog.getByRole('alert').filter({ hasText: 'troppo grande per un elenco' })).toBeVisible();
  await choose.setInputFiles({ name: 'vuoto.csv', mimeType: 'text/csv', buffer: Buffer.from('\n') });
  await expect(dialog.getByRole('alert').filter({ hasText: 'Questo file è vuoto' })).toBeVisible();
  await expect(dialog.getByText('1 riga da correggere')).toBeVisible();
  if (again) await choose.setInputFiles(again);
  await expect(dialog.getByRole('button', { name: 'Importa 2 persone' })).toBeEnabled();
  // Employees already in the team are assigned to the project.
  await list.fill('Nome;Cognome\nMario;Rossi\nAnna;Neri\nNicolo;Re');
  await expect(dialog.getByText('2 persone da importare, 1 persona da assegnare al progetto')).toBeVisible();
  await expect(dialog.getByRole('row', { name: 'Nicolo Re' })).toContainText(
    'Già nel team: viene assegnata al progetto',
  );
  await dialog.getByRole('button', { name: 'Importa 2 persone' }).click();
  await expect(
    page.getByText('2 persone aggiunte al team, 1 persona assegnata al progetto').first(),
  ).toBeVisible();
  await expect(page.getByLabel('Stato di Anna Neri')).toHaveValue('in trasferta');
  await expect(page.getByRole('button', { name: 'Importa elenco' })).toBeFocused();
});

test('a long name in a crew list leaves room for what is wrong with others', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await page.goto(`${path}?tab=team`);
  await page.getByRole('button', { name: 'Importa elenco' }).click();
  const dialog = page.getByRole('dialog', { name: 'Importa elenco del personale' });
  await dialog
    .getByLabel('Elenco del personale')
    .fill(`${'Anna '.repeat(40)};Neri;Tecnico\nUgo;Bassi;Pilota`);
  const preview = dialog.getByRole('region', { name: 'Anteprima dell’elenco' });
  const reason = preview.getByRole('cell', { name: 'Ruolo non previsto.' });
  for (const width of [1440, 768, 500]) {
    await page.setViewportSize({ width, height: 900 });
    expect((await reason.boundingBox())?.width).toBeGreaterThan(200);
    expect(await preview.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  }
});

test('an import without an answer says so, cannot be closed meanwhile, and adds everybody once', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/ERR_FAILED/);
  problems.expect(/status of 404/);
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Centrale' });
  await app.make.employee(user, { name: 'Nicolò Re' });
  const page = await openAs(user);
  await page.goto(`${path}?tab=team`);
  await page.getByRole('button', { name: 'Importa elenco' }).click();
  const dialog = page.getByRole('dialog', { name: 'Importa elenco del personale' });
  const list = dialog.getByLabel('Elenco del personale');
  await list.fill('Nome;Cognome\nMario;Rossi\nAnna;Neri\nNicolò;Re');
  await dialog.getByLabel('Progetto', { exact: true }).selectOption('Centrale');
  const send = dialog.getByRole('button', { name: 'Importa 2 persone' });
  await expect(send).toBeEnabled();

  await app.make.sql('delete from projects where id = $1', [project.id]);
  const gone = Promise.withResolvers<void>();
  await answerOnce(page, 'employees/imports', (route) => gone.promise.then(() => route.fallback()));
  await send.click();
  await expect(dialog.locator('button[data-loading]')).toBeVisible();
  await page.keyboard.press('Escape');
  gone.resolve();
  const failure = (text: string) => dialog.getByRole('alert').filter({ hasText: text });
  await expect(failure('Il progetto non esiste più. Nessuna persona è stata importata.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  // Sent again unchanged, it goes without the project.
  await expect(dialog.getByLabel('Progetto', { exact: true })).toHaveValue('');

  const lost = (route: Route) => route.fetch().then(() => route.abort());
  await page.route('**/api/employees/imports', lost);
  // The people of the unanswered import are looked up again, and found.
  const foundAll = Promise.withResolvers<void>();
  await page.route('**/api/employees/imports/matches', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response });
    if ((await response.json()).matches.length === 3) foundAll.resolve();
  });
  await send.click();
  await expect(failure('Non sappiamo se l’elenco è stato importato')).toBeVisible();
  await foundAll.promise;
  await page.unroute('**/api/employees/imports', lost);
  // A changed list is a new one, whose people are all in the team; restored, it is the same import again.
  const without = dialog.getByRole('checkbox', { name: 'Non importare di nuovo chi è già nel team' });
  await without.uncheck();
  await expect(dialog.getByText('3 persone sono già nel team con lo stesso nome.')).toBeVisible();
  await without.check();
  await expect(dialog.getByText('Una persona è già nel team con lo stesso nome.')).toBeVisible();
  // Nor is a success without the server's JSON an answer.
  await answerOnce(page, 'employees/imports', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 201, contentType: 'text/html', body: '<p>ok</p>' });
  });
  await Promise.all([page.waitForResponse('**/api/employees/imports'), send.click()]);
  await expect(failure('Non sappiamo se l’elenco è stato importato')).toBeVisible();
  await send.click();
  await expect(page.getByText('Elenco importato')).toBeVisible();
  for (const name of ['Mario Rossi', 'Anna Neri', 'Nicolò Re']) {
    await expect(page.getByLabel(`Stato di ${name}`)).toHaveCount(1);
  }
});

test('an employee deleted meanwhile leaves the team of a draft and of a version saved after a conflict', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  for (const problem of [/status of 409/, /status of 422/]) problems.expect(problem);
  const user = await app.make.user();
  const staying = await app.make.employee(user, { name: 'Ada Neri' });
  const leaving = await app.make.employee(user, { name: 'Ida Fiori' });
  const page = await openAs(user);
  const remove = (id: number) =>
    page.evaluate((one) => fetch(`/api/employees/${one}`, { method: 'DELETE' }).then(({ ok }) => ok), id);
  const dialog = await openNewProject(page);
  await dialog.getByLabel('Nome Progetto').fill('Diga');
  await dialog.getByLabel('Località').fill('Avise');
  await dialog.getByRole('checkbox', { name: 'Ada Neri - Tecnico' }).check();
  await dialog.getByRole('checkbox', { name: 'Ida Fiori - Tecnico' }).check();
  expect(await remove(leaving.id)).toBe(true);
  await page.reload();
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  await expect(dialog.getByText('2 scelti')).toBeVisible();
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  const said = 'Uno dei dipendenti scelti non esiste più: lo abbiamo tolto dal team.';
  await expect(dialog.getByRole('alert').filter({ hasText: said })).toBeVisible();
  await expect(dialog.getByText('1 scelto')).toBeVisible();
  await dialog.getByRole('button', { name: 'Crea Progetto' }).click();
  await expect(page.getByText('Progetto creato con successo!')).toBeVisible();

  // The same when "my version" is saved after a conflict.
  await page.getByRole('button', { name: 'Modifica Diga' }).first().click();
  const edit = page.getByRole('dialog', { name: 'Modifica Diga' });
  await expect(edit.getByRole('checkbox', { name: 'Ada Neri - Tecnico' })).toBeChecked();
  expect(await remove(staying.id)).toBe(true);
  await edit.getByLabel('Nome Progetto').fill('Diga alta');
  await edit.getByRole('button', { name: 'Salva modifiche' }).click();
  await edit.getByRole('button', { name: 'Salva la mia versione' }).click();
  await expect(edit.getByRole('alert').filter({ hasText: said })).toBeVisible();
  await edit.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Progetto aggiornato')).toBeVisible();
});

test('a list that cannot be read says so and can be retried', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  await app.make.project(user, { name: 'Galleria' });
  const page = await openAs(user);
  let failing = true;
  await page.route('**/api/projects?**', (route) =>
    failing ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
  );
  await page.goto(path);
  const failure = page.getByRole('alert').filter({ hasText: 'Errore nel caricamento dei dati' });
  const hinted = failure.filter({
    hasText: 'Controlla che la connessione funzioni e di aver effettuato l’accesso',
  });
  await expect(hinted).toBeVisible();
  await expectAccessible(page);
  failing = false;
  await page.getByRole('button', { name: 'Riprova' }).first().press('Enter');
  await expect(page.getByRole('list', { name: 'Progetti attivi' })).toContainText('Galleria');
  await expect(page.getByRole('heading', { name: 'Progetti Attivi', exact: true })).toBeFocused();

  // So do the three parts of the team tab: statistics, calendar, employees.
  const stats = Promise.withResolvers<void>();
  await page.route('**/api/projects/stats', (route) =>
    stats.promise.then(() => route.fulfill({ status: 500, json: {} })),
  );
  for (const url of ['**/api/projects/timeline?**', '**/api/employees?**'])
    await page.route(url, (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto(`${path}?tab=team`);
  await expect(
    page.getByText('Caricamento dati personali...').and(page.locator('[aria-hidden]')),
  ).toBeVisible();
  await expect(hinted).toHaveCount(2);
  stats.resolve();
  await expect(hinted).toHaveCount(3);
  await expectAccessible(page);
  await expectToFit(page);
});

test('a search keeps what is typed while the address is updated, and survives a reload @once', async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  await app.make.project(user, { name: 'Diga di Ridracoli' });
  await app.make.project(user, { name: 'Ponte sul Sesia' });
  const page = await openAs(user);
  await page.goto('/app/progetti-team');
  const search = page.getByLabel('Cerca progetto, località o persona');
  await search.pressSequentially('diga ');
  await expect(page).toHaveURL(/cerca=diga$/);
  await search.pressSequentially('di rid');
  await expect(search).toHaveValue('diga di rid');
  await expect(page).toHaveURL(/cerca=diga\+di\+rid$/);
  await page.reload();
  await expect(search).toHaveValue('diga di rid');
  const table = page.getByRole('table', { name: 'Tutti i progetti' });
  await expect(table.getByText('Diga di Ridracoli')).toBeVisible();
  await expect(table.getByText('Ponte sul Sesia')).toHaveCount(0);
});
