import type { Route } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { answerOnce } from '../support/answer-once.ts';
import { expectToFit } from '../support/layout.ts';
import { openCrewImport } from '../support/projects.ts';
import { expect, test } from '../support/test.ts';

test('a crew list is previewed, corrected, and imported only when confirmed', async ({ app, openAs }) => {
  const user = await app.make.user();
  for (const location of ['Brindisi', 'Lecce']) await app.make.project(user, { name: 'Centrale', location });
  await app.make.employee(user, { name: 'Nicolò Re' });
  const page = await openAs(user);
  const dialog = await openCrewImport(page);
  const list = dialog.getByLabel('Elenco del personale');
  await list.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Importa elenco' }).click();
  await list.fill('Mario;Rossi');
  await list.press('Escape');
  await page
    .getByRole('dialog', { name: 'Chiudere senza importare?' })
    .getByRole('button', { name: 'Torna indietro' })
    .click();
  await expect(list).toHaveValue('Mario;Rossi');
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
  await dialog.getByLabel('Progetto', { exact: true }).selectOption('Centrale (Lecce)');
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

test('a list of names alone, or with other roles, is imported', { tag: '@once' }, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  const dialog = await openCrewImport(page);
  const list = dialog.getByLabel('Elenco del personale');
  await list.fill('Mario Rossi\nNicolò De Re');
  await expect(dialog.getByRole('button', { name: 'Importa 2 persone' })).toBeEnabled();
  const asked = dialog.getByRole('checkbox', { name: 'Importa i ruoli non previsti come «Non specificato»' });
  await expect(asked).toHaveCount(0);
  await list.fill('Nome e cognome;Mansione\nMario Rossi;Gruista\nNicolò De Re;Tecnico');
  await expect(dialog.getByText('1 riga da correggere')).toBeVisible();
  await asked.check();
  await expect(dialog.getByRole('row', { name: 'Mario Rossi' })).toContainText('Ruolo non specificato');
  await expectAccessible(page);
  await expectToFit(page);
  await dialog.getByRole('button', { name: 'Importa 2 persone' }).click();
  await expect(dialog).toHaveCount(0);
  for (const person of ['Mario Rossi, Non specificato', 'Nicolò De Re, Tecnico'])
    await expect(page.getByRole('row', { name: person })).toHaveCount(1);
});

test('a long name in a crew list leaves room for what is wrong with others', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  const dialog = await openCrewImport(page);
  await dialog
    .getByLabel('Elenco del personale')
    .fill(`${'Anna '.repeat(40)};Neri;Tecnico\nUgo;Bassi;Pilota`);
  const preview = dialog.getByRole('region', { name: 'Anteprima dell’elenco' });
  const reason = preview.getByRole('cell', { name: 'Ruolo non previsto.' });
  for (const width of [1440, 768, 500]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => (await reason.boundingBox())?.width).toBeGreaterThan(200);
    await expect
      .poll(() => preview.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
      .toBe(0);
  }
});

test('why a file or an import is refused is in sight, however long the list', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/ERR_FAILED|status of 422/);
  const page = await openAs(await app.make.user());
  const dialog = await openCrewImport(page);
  const people = Array.from({ length: 40 }, (_, index) => `Mario;Rossi${'i'.repeat(index)}`);
  await dialog.getByLabel('Elenco del personale').fill(`Nome;Cognome\n${people.join('\n')}`);
  const send = dialog.getByRole('button', { name: 'Importa 40 persone' });
  await expect(send).toBeEnabled();
  const chooseWrong = () =>
    dialog.locator('input[type="file"]').setInputFiles({
      name: 'elenco.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: Buffer.from('PK\u0003\u0004\u0000'),
    });
  await chooseWrong();
  const alert = dialog.getByRole('alert');
  await expect(alert).toHaveText(/Questo file non è un elenco/);
  // Chosen again it is refused in the same words: a screen reader announces what is added.
  await alert.evaluate((said) => said.setAttribute('data-said', ''));
  await chooseWrong();
  await expect(alert.and(page.locator(':not([data-said])'))).toHaveText(/Questo file non è un elenco/);
  await expect(alert).toBeInViewport({ ratio: 1 });
  // Sent from the end of the list, too.
  await dialog.getByRole('region', { name: 'Anteprima dell’elenco' }).focus();
  await dialog.getByRole('cell', { name: '41', exact: true }).scrollIntoViewIfNeeded();
  let cut = true;
  await page.route('**/api/employees/imports', (route) =>
    cut ? route.abort() : route.fulfill({ status: 422, json: {} }),
  );
  await send.click();
  await expect(alert).toHaveText(/Non sappiamo se l’elenco è stato importato/);
  await expect(alert).toBeInViewport({ ratio: 1 });
  // After a refusal the team is compared again, and the button waits for that.
  cut = false;
  await expect(send).toBeEnabled();
  const compared = page.waitForResponse('**/api/employees/imports/matches');
  await send.press('Enter');
  await compared;
  await expect(send).toBeEnabled();
  await expect(send).toBeFocused();
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
  const dialog = await openCrewImport(page);
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

test('an imported list is not said to be in the team while its dialog closes', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  await app.make.employee(user, { name: 'Ida Galli' });
  const page = await openAs(user);
  const dialog = await openCrewImport(page);
  await dialog.getByLabel('Elenco del personale').fill('Nome;Cognome\nMario;Rossi\nAnna;Neri');
  const send = dialog.getByRole('button', { name: 'Importa 2 persone' });
  await expect(send).toBeEnabled();
  // Counted by the page itself: whether its last byte has arrived is not always reported to Playwright.
  const lookUps = () =>
    page.evaluate(
      () =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.endsWith('/api/employees/imports/matches')).length,
    );
  await expect.poll(lookUps).toBe(1);
  // The dialog waits for the lists, so that its own look-up is answered before.
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/api\/employees\?/, async (route) => {
    await promise;
    await route.continue();
  });
  await dialog.evaluate((element) => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver(() => {
      if (/già nel team/i.test(element.textContent)) said.push(element.textContent);
    }).observe(element, { subtree: true, childList: true, characterData: true });
  });
  await send.click();
  await expect.poll(lookUps).toBe(2);
  resolve();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Stato di Anna Neri')).toBeVisible();
  expect(await page.evaluate('said')).toEqual([]);
});

test('the projects of a crew are waited for, and can be read again', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  const user = await app.make.user();
  await app.make.project(user, { name: 'Diga' });
  const page = await openAs(user);
  const answers = { failing: true };
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/projects/stats', async (route) => {
    if (answers.failing) return route.fulfill({ status: 500, json: {} });
    await promise;
    return route.fallback();
  });
  const dialog = await openCrewImport(page);
  await dialog.getByLabel('Elenco del personale').fill('Mario;Rossi');
  await expect(dialog.getByRole('alert')).toContainText('Progetti non caricati, per ora si importa senza');
  await expectAccessible(page);
  await expectToFit(page);
  const send = dialog.getByRole('button', { name: 'Importa 1 persona' });
  await expect(send).toBeEnabled();
  answers.failing = false;
  await dialog.getByRole('button', { name: 'Riprova' }).click();
  await expect(send).toBeDisabled();
  resolve();
  await dialog.getByLabel('Progetto', { exact: true }).selectOption('Diga');
  await send.click();
  await expect(page.getByLabel('Stato di Mario Rossi')).toHaveValue('in trasferta');
});
