import { addDays, todayInRome } from '#contract/dates.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { listenToStatus } from '../support/announcements.ts';
import { submitLogin } from '../support/login.ts';
import { expect, test } from '../support/test.ts';

test('invoices marked as paid leave a list filtered by state', { tag: '@once' }, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Cartiera di Fabriano' });
  // With a PDF, whose menu is in the same row.
  for (const euro of [100, 200.5]) {
    await app.make.invoice(customer, project, { euro, fileName: 'a.pdf', fileUrl: `${customer.id}/${euro}` });
  }
  const doomed = await app.make.invoice(customer, project, { euro: 50, status: 'Pagata' });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('searchbox', { name: 'Cerca' }).fill('cartiera');
  await expect(desk.getByText('3 fatture', { exact: true })).toBeVisible();
  const only = async (status: string) => {
    await desk.getByRole('combobox', { name: 'Stato' }).click();
    await desk.getByRole('option', { name: status, exact: true }).click();
  };
  // When one invoice leaves the list, the focus moves to the menu of the next one, or of the one before.
  await only('Da Pagare');
  const menus = desk.getByRole('button', { name: /^Azioni sulla fattura/ });
  await expect(menus).toHaveCount(2);
  const mark = async (state: string) => {
    await menus.last().click();
    await desk.getByRole('menuitem', { name: `Segna come ${state}` }).click();
  };
  const named = (await menus.last().getAttribute('aria-label'))?.split(' ').at(-1) ?? '';
  await mark('Pagata');
  await expect(menus).toHaveCount(1);
  await expect(menus).toBeFocused();
  // Which one it was is still said: it may have been the wrong one.
  await expect(desk.getByRole('status').filter({ hasText: named })).toBeVisible();
  await only('Pagata');
  await expect(menus).toHaveCount(2);
  await mark('Da Pagare');
  await expect(menus).toHaveCount(1);
  await desk.getByRole('button', { name: 'Tutti gli stati' }).click();
  await expect(desk.getByText('3 fatture', { exact: true })).toBeVisible();
  const all = desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' });
  const heard = await listenToStatus(desk);
  await all.check();
  const bar = desk.getByRole('status').filter({ hasText: 'selezionate' });
  // With the first selection, too.
  await expect.poll(async () => (await heard()).join('')).toContain('3 fatture selezionate');
  await expect(bar).toContainText('3 fatture selezionate · € 350,50 (2 da pagare)');
  // Only the result is announced with each row, not what can be done with it.
  await expect(bar.getByRole('button')).toHaveCount(0);
  await only('Da Pagare');
  await expect(desk.getByText('2 fatture', { exact: true })).toBeVisible();
  await all.check();
  await expect(bar).toContainText('2 fatture selezionate · € 300,50');
  await desk.getByRole('button', { name: 'Segna come Pagate' }).click();
  await expect(desk.getByText('Stato fattura aggiornato a: Pagata')).toBeVisible();
  await expect(desk.getByRole('status').filter({ hasText: 'Nessuna fattura trovata' })).toBeVisible();
  // No filter finds those of a moment ago, but they can be brought back: only they, not the one that was paid before.
  const undo = desk.getByRole('button', { name: 'Annulla la modifica' });
  await expect(undo).toBeFocused();
  await expect(desk.getByText('2 fatture segnate come Pagate')).toBeVisible();
  // The toast has said it.
  expect((await heard()).filter((words) => words.includes('segnate'))).toEqual([]);
  await expectAccessible(desk);
  await undo.press('Enter');
  await expect(desk.getByText('Stato fattura aggiornato a: Da Pagare')).toBeVisible();
  await expect(menus).toHaveCount(2);
  await expect(undo).toHaveCount(0);
  // They come back unselected.
  await expect(bar).toBeHidden();
  await expect(all).toBeFocused();
  await all.check();
  await desk.getByRole('button', { name: 'Segna come Pagate' }).click();
  await expect(undo).toBeFocused();
  await only('Pagata');
  await expect(desk.getByText('3 fatture', { exact: true })).toBeVisible();
  await expect(undo).toHaveCount(0);
  await expect(bar).toBeHidden();
  // One is deleted by a colleague before the others are brought back.
  await all.check();
  await desk.getByRole('button', { name: 'Segna come Da Pagare' }).click();
  await expect(undo).toBeFocused();
  expect((await desk.request.delete(`/api/admin/invoices/${doomed.invoiceNumber}`)).ok()).toBe(true);
  await undo.click();
  await expect(desk.getByText('2 fatture; 1 non modificata perché eliminata nel frattempo')).toBeVisible();
  await expect(menus).toHaveCount(2);
});

test('in another order, only rows that are still in sight stay selected', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Teleferica di Oropa' });
  // The newest is the cheapest: in the other order it is on the second page.
  const issued = (daysAgo: number) => addDays(todayInRome(), -daysAgo);
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      app.make.invoice(customer, project, { euro: 100 + index, issueDate: issued(index) }),
    ),
  );
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices?cerca=oropa');
  const rows = desk.getByRole('checkbox', { name: /^Seleziona FAT/ });
  await expect(rows).toHaveCount(25);
  await rows.nth(0).check();
  await rows.nth(10).check();
  const bar = desk.getByRole('status').filter({ hasText: /selezionat[ae]/ });
  await expect(bar).toContainText('2 fatture selezionate · € 210,00');
  const amount = desk.getByRole('columnheader', { name: 'Importo' });
  await amount.getByRole('button').click();
  await expect(amount).toHaveAttribute('aria-sort', 'ascending');
  const order = desk.getByRole('status').filter({ hasText: 'Ordine' });
  await expect(order).toHaveText('Ordine crescente per Importo');
  await expect(bar).toContainText('2 fatture selezionate · € 210,00');
  await amount.getByRole('button').click();
  await expect(amount).toHaveAttribute('aria-sort', 'descending');
  await expect(order).toHaveText('Ordine decrescente per Importo');
  await expect(bar).toContainText('1 fattura selezionata · € 110,00');
  const heard = await listenToStatus(desk);
  await desk.getByRole('button', { name: 'Mostra altre' }).click();
  await expect(rows).toHaveCount(30);
  await expect(bar).toContainText('1 fattura selezionata · € 110,00');
  await desk.getByRole('button', { name: 'Segna come Pagata' }).click();
  await expect(desk.getByText('€ 3.325,00')).toBeVisible();
  // Figures are announced with their names, not only the one that changed.
  await expect
    .poll(heard)
    .toEqual(
      expect.arrayContaining([
        '30 di 30',
        expect.stringMatching(/30 fatture.*Pagate€.110,00Da pagare€.3\.325,00/),
      ]),
    );

  // The other order is shown at once with the totals from before the change: they are not announced.
  const further = await listenToStatus(desk);
  await amount.getByRole('button').click();
  await expect
    .poll(further)
    .toEqual([
      'Ordine crescente per Importo',
      expect.stringMatching(/^30 fatture.*Da pagare€.3\.325,00$/),
      '25 di 30',
    ]);
});

test('the rows stay where they are when the first is selected, and two quick presses mark once', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Darsena di Marghera' });
  await Promise.all(Array.from({ length: 20 }, () => app.make.invoice(customer, project, { euro: 75 })));
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices?cerca=marghera');
  const rows = desk.getByRole('checkbox', { name: /^Seleziona FAT/ });
  await expect(rows).toHaveCount(20);
  const third = rows.nth(2);
  const bar = desk.getByText('1 fattura selezionata');
  const topOf = async () => Math.round((await third.boundingBox())?.y ?? 0);
  // On a page that is scrolled, the browser keeps them as well.
  for (const scrolled of [0, 40]) {
    await desk.evaluate((y) => scrollTo(0, y), scrolled);
    await expect.poll(() => desk.evaluate(() => scrollY)).toBe(scrolled);
    const top = await topOf();
    await third.check();
    await expect(bar).toBeVisible();
    expect(await topOf(), 'with the bar').toBe(top);
    await third.uncheck();
    await expect(bar).toHaveCount(0);
    expect(await topOf(), 'without it').toBe(top);
  }

  await third.check();
  const sent: string[] = [];
  desk.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.url());
  });
  /** The second press comes before anything that waits for a timer. */
  const pressTwice = (name: string) =>
    desk.getByRole('button', { name }).evaluate(async (button: HTMLElement) => {
      button.click();
      await null;
      button.click();
    });
  await pressTwice('Segna come Pagata');
  await expect(desk.getByRole('button', { name: 'Annulla la modifica' })).toBeFocused();
  expect(sent).toHaveLength(1);
  await pressTwice('Annulla la modifica');
  await expect(desk.getByText('Stato fattura aggiornato a: Da Pagare')).toBeVisible();
  expect(sent).toHaveLength(2);
});

test('the rows of a page too short to scroll stay where they are, too, until what was marked is undone', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Molo di Crotone' });
  for (let count = 0; count < 3; count += 1) await app.make.invoice(customer, project);
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices?cerca=crotone');
  const rows = desk.getByRole('checkbox', { name: /^Seleziona FAT/ });
  await expect(rows).toHaveCount(3);
  const topOf = async () => Math.round((await rows.last().boundingBox())?.y ?? 0);
  const top = await topOf();
  await rows.last().check();
  await expect(desk.getByText('1 fattura selezionata')).toBeVisible();
  expect(await topOf(), 'with the bar').toBe(top);
  await rows.last().uncheck();
  await expect(desk.getByText('1 fattura selezionata')).toHaveCount(0);
  expect(await topOf(), 'without it').toBe(top);
  await rows.first().check();
  await rows.last().check();
  await desk.getByRole('button', { name: 'Segna come Pagate' }).click();
  const undone = desk.getByText('2 fatture segnate come Pagate');
  await expect(undone).toBeVisible();
  expect(await topOf(), 'with what can be undone').toBe(top);
  await desk.getByRole('button', { name: 'Annulla la modifica' }).click();
  await expect(undone).toHaveCount(0);
  expect(await topOf(), 'once it is undone').toBe(top);
  expect(await desk.evaluate(() => [scrollY, document.documentElement.scrollHeight])).toEqual([0, 900]);
});

test('beside the longest figures of a selection all actions are on the same line', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Oleodotto di Trieste' });
  await Promise.all(
    Array.from({ length: 26 }, (_, index) =>
      app.make.invoice(customer, project, { euro: 987_654.25, status: index % 2 ? 'Pagata' : 'Da Pagare' }),
    ),
  );
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices?cerca=oleodotto');
  await desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' }).check();
  await expect(desk.getByRole('status').filter({ hasText: '€ 24.691.356,25 (1' })).toBeVisible();
  const names = [
    'Annulla la selezione',
    'Seleziona tutte le 26',
    'Segna come Pagate',
    'Segna come Da Pagare',
  ];
  const tops = await Promise.all(
    names.map(async (name) => (await desk.getByRole('button', { name }).boundingBox())?.y),
  );
  expect(new Set(tops).size, `${tops}`).toBe(1);
});

test('invoices stay selected when the session is lost, also those further down the list', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 401/);
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Bacino di Monfalcone' });
  await Promise.all(Array.from({ length: 27 }, () => app.make.invoice(customer, project, { euro: 75 })));
  const clerk = await app.make.invoiceAdmin();
  const desk = await openAs(clerk);
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices?cerca=monfalcone');
  const rows = desk.getByRole('checkbox', { name: /^Seleziona FAT/ });
  await desk.getByRole('button', { name: 'Mostra altre' }).click();
  await expect(rows).toHaveCount(27);
  await rows.first().check();
  await rows.last().check();
  const bar = desk.getByRole('status').filter({ hasText: /selezionat[ae]/ });
  await expect(bar).toHaveText('2 fatture selezionate · € 150,00');
  await desk.context().clearCookies();
  const mark = desk.getByRole('button', { name: 'Segna come Pagate' });
  await mark.click();
  await submitLogin(desk, clerk);
  await expect(rows).toHaveCount(25);
  await expect(bar).toHaveText('2 fatture selezionate · € 150,00');
  await expect(rows.first()).toBeChecked();
  await mark.click();
  await expect(desk.getByText('2 fatture segnate come Pagate')).toBeVisible();

  // What was not selected when it was lost is not selected afterwards.
  await rows.first().check();
  await desk.getByRole('button', { name: 'Annulla la selezione' }).click();
  await expect(bar).toBeHidden();
  await desk.context().clearCookies();
  await desk.getByRole('combobox', { name: 'Stato' }).click();
  await desk.getByRole('option', { name: 'Pagata', exact: true }).click();
  await submitLogin(desk, clerk);
  await expect(rows).toHaveCount(2);
  await expect(bar).toBeHidden();
});

test('what the keyboard reaches is not under the bar of the selected invoices', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Pontile di Augusta' });
  await Promise.all(Array.from({ length: 12 }, () => app.make.invoice(customer, project, { euro: 75 })));
  const desk = await openAs(await app.make.invoiceAdmin());
  // A height at which rows pass under the bar without being outside the window.
  await desk.setViewportSize({ width: 1440, height: 640 });
  await desk.goto('/app/admin/invoices?cerca=augusta');
  const rows = desk.getByRole('checkbox', { name: /^Seleziona FAT/ });
  await expect(rows).toHaveCount(12);
  await rows.last().check();
  await expect(desk.getByText('1 fattura selezionata')).toBeVisible();
  const covered: string[] = [];
  for (let step = 0; step < 36; step += 1) {
    await desk.keyboard.press('Shift+Tab');
    const under = await desk.evaluate(() => {
      const { activeElement: focused } = document;
      if (!focused?.closest('main') || focused.closest('[role=status]')) return null;
      const { left, top, width, height } = focused.getBoundingClientRect();
      const upper = document.elementFromPoint(left + width / 2, top + height / 2);
      return upper?.closest('[role=status], header') ? focused.outerHTML.slice(0, 120) : null;
    });
    if (under) covered.push(under);
  }
  expect(covered).toEqual([]);
});

test('all invoices found are selected and marked together, also those that the list has not read', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 404/);
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Idrovora di Cavarzere' });
  // More than the server answers at once.
  await Promise.all(Array.from({ length: 104 }, () => app.make.invoice(customer, project, { euro: 10 })));
  const stateIs = async (status: string) => {
    const { rows } = await app.make.sql(
      'select count(*)::int as count from invoices where project_id = $1 and status = $2',
      [project.id, status],
    );
    return rows[0]?.count;
  };
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices?cerca=cavarzere');
  const box = desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' });
  const rows = desk.getByRole('checkbox', { name: /^Seleziona FAT/ });
  const bar = desk.getByRole('status').filter({ hasText: /selezionat[ae]/ });
  const rest = desk.getByRole('button', { name: 'Seleziona tutte le 104' });
  await box.check();
  await expect(bar).toHaveText('25 fatture selezionate su 104 · € 250,00');
  await expectAccessible(desk);
  const heard = await listenToStatus(desk);
  await rest.press('Enter');
  await expect(bar).toHaveText('104 fatture selezionate · € 1.040,00');
  await expect.poll(async () => (await heard()).join(' ')).toContain('104');
  await expect(rest).toHaveCount(0);
  // What was pressed is gone: the focus is at what can be done next.
  await expect(desk.getByRole('group', { name: 'Azioni sulle fatture selezionate' })).toBeFocused();
  await expectAccessible(desk);

  // The box takes them all back, also those out of sight.
  await box.uncheck();
  await expect(bar).toBeHidden();
  // Whatever is selected while they are being read counts.
  await box.check();
  const { promise: changed, resolve: isChanged } = Promise.withResolvers<void>();
  await desk.route('**/api/admin/invoices?*limit=100*', (route) => changed.then(() => route.fallback()));
  const answered = desk.waitForResponse(/limit=100.*cursor=/);
  await rest.click();
  await rows.nth(3).uncheck();
  isChanged();
  await answered;
  await expect(rest).toBeEnabled();
  await expect(bar).toHaveText('24 fatture selezionate · € 240,00');
  await rest.click();
  await expect(bar).toHaveText('104 fatture selezionate · € 1.040,00');
  await rows.nth(3).uncheck();
  await expect(bar).toHaveText('103 fatture selezionate su 104 · € 1.030,00');

  // Another order, and the next page, leave them selected.
  await desk.getByRole('columnheader', { name: 'Fattura' }).getByRole('button').click();
  await expect(desk.getByText('Ordine crescente per Fattura')).toBeAttached();
  await desk.getByRole('button', { name: 'Mostra altre' }).click();
  await expect(desk.getByText('50 di 104')).toBeVisible();
  await expect(bar).toHaveText('103 fatture selezionate su 104 · € 1.030,00');

  // One is deleted by a colleague: nothing is marked, and it is selected no more.
  await app.make.sql('delete from invoices where id = (select max(id) from invoices where project_id = $1)', [
    project.id,
  ]);
  await desk.getByRole('button', { name: 'Segna come Pagate' }).click();
  await expect(desk.getByText("Errore durante l'aggiornamento dello stato")).toBeVisible();
  await expect(bar).toHaveText('102 fatture selezionate su 103 · € 1.020,00');
  expect(await stateIs('Pagata')).toBe(0);
  // To mark them ends the selection, without reading them once more before it is said.
  const read: string[] = [];
  desk.on('request', (request) => {
    if (request.url().includes('limit=100')) read.push(request.url());
  });
  await desk.getByRole('button', { name: 'Segna come Pagate' }).click();
  await expect(desk.getByText('102 fatture segnate come Pagate')).toBeVisible();
  expect(read, 'pages read again').toEqual([]);
  await desk.getByRole('button', { name: 'Annulla la modifica' }).click();
  await expect(desk.getByText('Stato fattura aggiornato a: Da Pagare')).toBeVisible();
  expect(await stateIs('Da Pagare')).toBe(103);
});

test('more invoices than one action can mark are not offered together, and the clerk is told what to do', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Cava di Botticino' });
  await Promise.all(Array.from({ length: 26 }, () => app.make.invoice(customer, project, { euro: 10 })));
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  let total = 1240;
  let counted = true;
  await desk.route('**/api/admin/invoices?*', async (route) => {
    const response = await route.fetch();
    const { totals, ...list } = await response.json();
    await route.fulfill({ response, json: { ...list, total, totals: counted ? totals : null } });
  });
  await desk.goto('/app/admin/invoices?cerca=botticino');
  const box = desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' });
  const bar = desk.getByRole('status').filter({ hasText: 'selezionate' });
  const hint = 'Al massimo 1.000 fatture alla volta: per selezionarle tutte restringi la ricerca.';
  await box.check();
  await expect(bar).toHaveText(`25 fatture selezionate su 1.240 · € 250,00. ${hint}`);
  await expect(desk.getByRole('button', { name: /^Seleziona tutte le/ })).toHaveCount(0);
  // Fewer than all that are in sight are what the clerk wants.
  await desk
    .getByRole('checkbox', { name: /^Seleziona FAT/ })
    .first()
    .uncheck();
  await expect(bar).toHaveText('24 fatture selezionate · € 240,00');

  total = 10_000;
  counted = false;
  await desk.reload();
  await box.check();
  await expect(bar).toHaveText(`25 fatture selezionate su oltre 10.000 · € 250,00. ${hint}`);
});

test('more than 1,000 selected invoices cannot be marked as paid, and the clerk is told the limit', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  await app.make.invoice(customer, await app.make.project(customer));
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.route('**/api/admin/invoices?*', async (route) => {
    const response = await route.fetch();
    const { items, ...list } = await response.json();
    const many = Array.from({ length: 1002 }, (_, index) => ({
      ...items[0],
      number: `FAT${index}`,
      status: index === 0 ? 'Pagata' : 'Da Pagare',
    }));
    await route.fulfill({ response, json: { ...list, items: many, total: many.length } });
  });
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' }).check();
  const bar = desk.getByRole('status').filter({ hasText: 'selezionate' });
  await expect(bar).toContainText('1.002 fatture selezionate');
  await expect(bar).toContainText('1.001 da pagare');
  await expect(bar).toContainText('Al massimo 1.000 fatture alla volta.');
  await expect(desk.getByRole('button', { name: 'Segna come Pagate' })).toBeDisabled();
  await desk.getByRole('checkbox', { name: 'Seleziona FAT1', exact: true }).uncheck();
  await expect(bar).not.toContainText('Al massimo');
  await expect(desk.getByRole('button', { name: 'Segna come Pagate' })).toBeEnabled();
});
