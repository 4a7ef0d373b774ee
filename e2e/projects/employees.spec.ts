import { formatDate, todayInRome } from '#contract/dates.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { listenToStatus } from '../support/announcements.ts';
import { bytesOf } from '../support/invoices.ts';
import { expectToFit, expectWholePlaceholder } from '../support/layout.ts';
import { openNewProject, PROJECTS_PATH } from '../support/projects.ts';
import { expect, test } from '../support/test.ts';

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
  await dialog.getByLabel('Cerca per nome, ruolo o progetto').focus();
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
  const project = await app.make.project(user, { name: 'Diga', location: 'Avise' });
  await app.make.project(user, { name: 'Diga', location: 'Sondalo' });
  await app.make.employee(user, { name: 'Ada Neri', status: 'in trasferta' }, project);
  await app.make.employee(user, { name: 'Bice Neri' });
  const page = await openAs(user);
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  const filter = page.getByLabel('Filtra per progetto');
  await filter.selectOption('Diga (Avise)');
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
  // The only one left needs no location.
  await expect(filter.getByRole('option', { name: /^Diga/ })).toHaveText(['Diga']);
  await expect(filter).toHaveValue('');
  await expect(page.getByText('2 di 2', { exact: true })).toBeVisible();
});

test('the role filter finds employees without a role', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.employee(user, { name: 'Ada Neri', role: 'Tecnico' });
  await app.make.employee(user, { name: 'Bice Neri', role: 'Non specificato' });
  const page = await openAs(user);
  await page.goto(`${PROJECTS_PATH}?tab=team`);
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

  await page.goto(`${PROJECTS_PATH}?tab=team`);
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

  await page.goto(PROJECTS_PATH);
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
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  const entries = page.getByRole('region', { name: 'Team Completo' }).locator('[data-entry]');
  await expect(entries).toHaveCount(3);
  await page.getByLabel('Filtra per stato').selectOption('in trasferta');
  await expect(entries).toHaveCount(2);
  const status = page.getByLabel('Stato di Ada Neri');
  await status.focus();
  await status.selectOption('Rientrato');
  await expect(status).toBeHidden();
  await expect(entries.filter({ hasText: 'Bice Neri' }).locator(':is(h3, th)')).toBeFocused();

  const dialog = await openNewProject(page);
  await dialog.getByRole('checkbox', { name: /^Ada Neri/ }).check();
  const chosenOnly = dialog.getByRole('checkbox', { name: 'Mostra solo chi è scelto' });
  await chosenOnly.check();
  await expect(dialog.getByRole('checkbox', { name: /^Bice Neri/ })).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: /^Ada Neri/ }).uncheck();
  await expect(dialog.getByLabel('Cerca per nome, ruolo o progetto')).toBeFocused();
  await expect(chosenOnly).not.toBeChecked();
});

test('employees of one name are told apart, also by who is about to delete one', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga di Ridracoli' });
  const name = 'Mario Omonimo';
  const alone = await app.make.employee(user, { name: 'Ugo Solo' }, project);
  await app.make.employee(user, { name, email: 'mario@example.com' }, project);
  await app.make.employee(user, { name, role: 'Saldatore' }, project);
  const page = await openAs(user);
  await page.goto('/app/progetti-team?tab=team');
  for (const details of ['mario@example.com', 'Saldatore, Diga di Ridracoli']) {
    const person = `${name} (${details})`;
    for (const control of [`Modifica ${person}`, `Elimina ${person}`, `Dettagli di ${person}`])
      await expect(page.getByRole('button', { name: control })).toBeVisible();
    await expect(page.getByRole('combobox', { name: `Stato di ${person}` })).toBeVisible();
  }
  await expect(page.getByRole('button', { name: `Modifica ${alone.name}`, exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Elimina ${name} (mario@example.com)` }).click();
  await expect(page.getByRole('dialog')).toContainText(`Vuoi eliminare ${name} (mario@example.com)?`);
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
  await page.goto(PROJECTS_PATH);
  const asked = { team: 0, everybody: 0 };
  let failing = true;
  await page.route('**/api/employees?*', (route) => {
    const parameters = new URL(route.request().url()).searchParams;
    const isTeam = /^\d+$/.test(parameters.get('ids') ?? '');
    // Of the team, one is left for the second part.
    if (!isTeam && !parameters.has('cursor')) return route.fallback();
    asked[isTeam ? 'team' : 'everybody'] += 1;
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
  await dialog.getByLabel('Cerca per nome, ruolo o progetto').fill('operaio');
  await dialog.getByRole('checkbox', { name: 'Mostra solo chi è scelto' }).uncheck();
  await expect(dialog.getByText('101 dipendenti: cerca per trovarli prima.')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Mostra solo chi è scelto' }).check();
  await expect(await findAtTheEnd('Operaio 101')).toBeChecked();
  expect(asked.everybody).toBe(3);
});

test('whoever adds somebody with the name of an employee is told', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  await app.make.employee(user, { name: 'Nicolò Re' });
  const page = await openAs(user);
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  await page.getByRole('button', { name: 'Aggiungi dipendente' }).click();
  const add = page.getByRole('dialog', { name: 'Aggiungi dipendente' });
  const note = add.getByRole('status').filter({ hasText: 'Nel team c’è già chi si chiama così.' });
  await add.getByRole('textbox', { name: 'Nome', exact: true }).fill('Nicolo');
  await add.getByLabel('Cognome').fill('RE ');
  await expect(note).toBeVisible();
  await expectAccessible(page);
  await add.getByLabel('Cognome').fill('Reali');
  await expect(note).toHaveCount(0);
  await add.getByLabel('Ruolo').selectOption('Tecnico');
  // Nor is it said of whoever was just added, while the dialog closes.
  await add.evaluate((element) => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver(() => {
      if (/Nel team c’è già/.test(element.textContent)) said.push(element.textContent);
    }).observe(element, { subtree: true, childList: true, characterData: true });
  });
  await add.getByRole('button', { name: 'Aggiungi', exact: true }).click();
  await expect(add).toHaveCount(0);
  expect(await page.evaluate('said')).toEqual([]);

  const project = await openNewProject(page);
  await project.getByRole('button', { name: 'Aggiungi dipendente' }).click();
  const row = project.getByRole('group', { name: 'Nuovo dipendente 1', exact: true });
  await row.getByLabel('Nome', { exact: true }).fill('Nicolò');
  await row.getByLabel('Cognome').fill('Re');
  await row.getByLabel('Ruolo').selectOption('Tecnico');
  await expect(row).toHaveAccessibleDescription(
    'Nel team c’è già chi si chiama così: se è la stessa persona, sceglila fra i dipendenti esistenti.',
  );
  await expectToFit(page);
});

test('an employee is added, edited, viewed and deleted', async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Cava' });
  // More than one page of the list.
  for (let made = 0; made < 29; made += 1) await app.make.employee(user);
  const { id } = await app.make.employee(user, { name: 'Ugo Bassi' }, project);
  await app.make.sql(
    `insert into employee_status_changes (employee_id, user_id, status, at)
      select $1, $2, 'Rientrato', now() - n * interval '1 week' from generate_series(1, 9) n`,
    [id, user.id],
  );
  const page = await openAs(user);
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  await page.getByRole('button', { name: 'Aggiungi dipendente' }).click();
  const add = page.getByRole('dialog', { name: 'Aggiungi dipendente' });
  await add.getByRole('button', { name: 'Aggiungi', exact: true }).click();
  await expect(add.getByText('Il nome è obbligatorio')).toBeVisible();
  await add.getByRole('textbox', { name: 'Nome', exact: true }).fill('Zita');
  await add.getByLabel('Cognome').fill('Gatti');
  await add.getByLabel('Ruolo').selectOption('Supervisore');
  await add.getByLabel('Telefono').fill('+39 333 1234567');
  const heard = await listenToStatus(page);
  await add.getByRole('button', { name: 'Aggiungi', exact: true }).click();
  await expect(page.getByText('Dipendente aggiunto con successo')).toBeVisible();
  // The calendar and the team say the same at their feet; it is announced once.
  await expect(page.getByText('25 di 31')).toHaveCount(2);
  expect((await heard()).filter((words) => words === '25 di 31')).toHaveLength(1);

  await page.getByRole('button', { name: 'Modifica Zita Gatti' }).click();
  const edit = page.getByRole('dialog', { name: 'Modifica Zita Gatti' });
  await edit.getByLabel('Nome e cognome').fill('Zita Gatto');
  await edit.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(page.getByText('Dipendente aggiornato')).toBeVisible();

  const details = page.getByRole('button', { name: 'Dettagli di Ugo Bassi', expanded: false });
  await details.click();
  await expect(details).toHaveCount(0);
  await expect(page.getByText('Cronologia delle assegnazioni')).toBeVisible();
  await expect(page.getByText(/assegnazione del/)).toBeVisible();
  // The second is that of the team.
  const more = page.getByRole('button', { name: 'Mostra altri' }).first();
  const changes = page.getByRole('listitem').filter({ hasText: /^(Rientrato|in trasferta)/ });
  await expect(changes).toHaveCount(8);
  await expect(page.getByText('8 di 10')).toBeVisible();
  await more.click();
  await expect(changes).toHaveCount(10);
  await expect(changes.nth(8)).toBeFocused();
  await expect(page.getByText('10 di 10')).toBeVisible();

  await page.getByRole('button', { name: 'Elimina Zita Gatto' }).click();
  await page
    .getByRole('dialog', { name: 'Elimina dipendente' })
    .getByRole('button', { name: 'Elimina', exact: true })
    .click();
  await expect(page.getByText('Dipendente eliminato')).toBeVisible();
  await expect(page.getByText('Zita Gatto')).toHaveCount(0);

  await page.getByLabel('Cerca per nome, ruolo, contatti o progetto').fill('nessuno così');
  await expect(
    page.getByRole('status').filter({ hasText: 'Nessun dipendente corrisponde alla ricerca' }),
  ).toBeVisible();

  await page.getByLabel('Cerca per nome, ruolo, contatti o progetto').fill('bassi');
  await expect(page.getByText('1 di 1', { exact: true })).toBeVisible();
  const waiting = page.waitForEvent('download');
  const asked = todayInRome();
  await page.getByRole('button', { name: 'Esporta' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  const download = await waiting;
  // The day may have changed meanwhile.
  expect([asked, todayInRome()].map((day) => `team-${day}.csv`)).toContain(download.suggestedFilename());
  const period = `${formatDate(project.startDate)};${formatDate(project.endDate)}`;
  expect(
    new TextDecoder()
      .decode(await bytesOf(download))
      .split('\r\n')
      .slice(1),
  ).toEqual([`Ugo Bassi;Tecnico;;;;in trasferta;Cava;${project.location};${period}`, '']);
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
  await page.goto(PROJECTS_PATH);
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
  await page.goto(`${PROJECTS_PATH}?tab=team`);
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
  // By its role, because it is hidden until the cards above it are known.
  const search = page.getByRole('searchbox', { name: 'Cerca per progetto, località o persona' });
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
  await page.getByRole('button', { name: 'Cancella la ricerca' }).click();
  await expect(table.getByText('Ponte sul Sesia')).toBeVisible();
  await expect(search).toBeFocused();
});

test('more people of a team are reached at the first new one, although the history of another is open', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  for (let made = 0; made < 27; made += 1) await app.make.employee(user, { name: `Persona ${made}` });
  const page = await openAs(user);
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  const team = page.getByRole('table', { name: 'Team completo' });
  const names = team.getByRole('rowheader');
  await expect(names).toHaveCount(25);
  await team.getByRole('button', { name: 'Dettagli di Persona 26' }).click();
  await expect(team.getByRole('listitem').filter({ hasText: 'in trasferta' })).toBeVisible();
  await page.getByRole('button', { name: 'Mostra altri' }).click();
  await expect(names.nth(25)).toBeFocused();
});

test('above the team the search says all that it looks in, beside its choices or on a line of its own', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  await app.make.employee(user, { name: 'Ada Neri' });
  const page = await openAs(user);
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  const search = page.getByRole('searchbox', { name: /^Cerca per/ });
  for (const width of [1440, 1366, 1280, 1024, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await expectWholePlaceholder(search);
  }
});

test('on every phone the choices of the calendar are side by side, with the slightly wider letters of Safari, too', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  const choices = page.getByRole('radiogroup', { name: 'Righe del calendario' }).locator('label');
  await expect(choices).toHaveCount(2);
  await page.addStyleTag({ content: 'label { letter-spacing: 0.01em }' });
  for (let width = 345; width <= 415; width += 5) {
    await page.setViewportSize({ width, height: 800 });
    const tops = await choices.evaluateAll((labels) =>
      labels.map((label) => label.getBoundingClientRect().top),
    );
    expect(tops[1], `in ${width} px`).toBe(tops[0]);
  }
});
