import type { Page } from '@playwright/test';
import { addDays, todayInRome } from '#contract/dates.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { expectDrawnBehind } from '../support/layout.ts';
import { pressShortcut } from '../support/shortcuts.ts';
import { expect, test } from '../support/test.ts';

test('the palette offers every page of an account', { tag: '@once' }, async ({ app, openAs }) => {
  const customer = ['Le tue richieste', 'Travel requirements'];
  const offers = async (page: Page, name: string) => {
    await page.goto('/app/home');
    await pressShortcut(page, 'Control+k');
    await page.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox').fill(name);
    return page.getByRole('dialog', { name: 'Cerca' }).getByRole('option', { name, exact: true });
  };
  const page = await openAs(await app.make.user());
  for (const name of customer) await expect(await offers(page, name)).toBeVisible();
  await expect(await offers(page, 'Gestione Richieste')).toHaveCount(0);
  await expect(await offers(page, 'Nuova Fattura')).toHaveCount(0);
  const admin = await openAs(await app.make.user({ role: 'admin' }));
  for (const name of [...customer, 'Gestione Richieste', 'Gestione Utenti'])
    await expect(await offers(admin, name)).toBeVisible();
  // A form as well, for those who create invoices.
  await (await offers(admin, 'Nuova Fattura')).click();
  await expect(admin.getByRole('dialog', { name: 'Nuova Fattura' })).toBeVisible();
  const clerk = await openAs(await app.make.invoiceAdmin());
  await expect(await offers(clerk, 'Crea Nuova Fattura')).toBeVisible();
  await clerk.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox').fill('crea fattura');
  await expect(clerk.getByRole('option', { selected: true })).toHaveText('Crea Nuova Fattura');
  await clerk.keyboard.press('Enter');
  await expect(clerk.getByRole('dialog', { name: 'Crea Nuova Fattura' })).toBeVisible();
});

test('the palette finds pages and records by keyboard', { tag: '@once' }, async ({ app, openAs }) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga di Ridracoli' });
  await app.make.employee(user, { name: 'Ridolfi Ugo' }, project);
  const page = await openAs(user);
  await page.goto('/app/home');
  const opener = page.getByRole('button', { name: /^Cerca/ });
  await opener.press('Enter');
  const box = page
    .getByRole('dialog', { name: 'Cerca' })
    .getByRole('combobox', { name: /^Cerca progetti, persone, fatture/ });
  await expect(box).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await opener.click();
  await page.getByRole('dialog', { name: 'Cerca' }).getByRole('button', { name: 'Chiudi' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(opener).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(box).toBeFocused();
  await expectAccessible(page);
  await box.fill('rid');
  await expect(page.getByRole('option', { name: /Diga di Ridracoli/ })).toBeVisible();
  await expect(page.getByRole('option', { name: /Ridolfi Ugo/ })).toBeVisible();
  await box.fill('x'.repeat(120));
  await expect(box).toHaveValue('x'.repeat(100));
  await box.fill('x');
  await expect(page.getByText('Scrivi almeno due caratteri.')).toBeVisible();
  await box.fill('ferta');
  await expect(page.getByText('Nessun risultato', { exact: false })).toBeVisible();
  await box.fill('supporto');
  await expect(page.getByRole('option', { selected: true })).toHaveText(/Supporto/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/app/support');
});

test('what is typed before the palette is loaded is searched for, not written into the page', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/support');
  const message = page.getByLabel('Come possiamo aiutarti?');
  await message.fill('Il furgone');
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', (route) => loaded.then(() => route.continue()));
  const opener = page.getByRole('button', { name: /^Cerca/ });
  await page.keyboard.press('Control+k');
  await expect(opener).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Escape');
  await expect(opener).toHaveAttribute('aria-expanded', 'false');
  await expect(message).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(opener).toHaveAttribute('aria-expanded', 'true');
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'pro\n');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await page.keyboard.press('Backspace');
  await page.keyboard.type('fix');
  for (const key of ['Backspace', 'Enter', 'Delete']) await page.keyboard.press(key);
  load();
  const box = page.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox');
  await expect(box).toBeFocused();
  await page.keyboard.type('lo');
  await expect(box).toHaveValue('profilo');
  await expect(page.getByRole('option', { selected: true })).toHaveText('Il mio profilo');
  await page.keyboard.press('Escape');
  await expect(message).toBeFocused();
  await page.keyboard.type(' arriva');
  await expect(message).toHaveValue('Il furgone arriva');
  await page.keyboard.press('Control+k');
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('');
});

test('the palette opens although its key was pressed before it was known who is signed in', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  const { promise: known, resolve: tell } = Promise.withResolvers<void>();
  await page.route('**/api/auth/session', (route) => known.then(() => route.continue()));
  const asked = page.waitForRequest('**/api/auth/session');
  await page.goto('/app/support');
  await asked;
  await page.keyboard.press('Control+k');
  tell();
  const box = page.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox');
  await expect(box).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // Asked for once.
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the palette announces its results and what Enter would open', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const project = await app.make.project(user, { name: 'Diga di Ridracoli' });
  await app.make.employee(user, { name: 'Ridolfi Ugo' }, project);
  const page = await openAs(user);
  await page.goto('/app/home');
  await pressShortcut(page, 'Control+k');
  const dialog = page.getByRole('dialog', { name: 'Cerca' });
  const box = dialog.getByRole('combobox');
  const status = dialog.getByRole('status');
  /** The words of the result that the field says is the active one. */
  const active = () =>
    box.evaluate(
      (field) => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent,
    );
  await expect(box).toHaveAttribute('aria-expanded', 'true');
  await expect(box).not.toHaveAttribute('aria-activedescendant');
  await expect(status).toHaveText('');

  await box.fill('rid');
  await expect(status).toHaveText('2 risultati');
  const list = dialog.getByRole('listbox', { name: 'Risultati' });
  await expect(box).toHaveAttribute('aria-controls', (await list.getAttribute('id')) ?? '');
  const dam = list
    .getByRole('group', { name: 'Progetti' })
    .getByRole('option', { name: /Diga di Ridracoli/ });
  const person = list.getByRole('group', { name: 'Persone' }).getByRole('option', { name: /Ridolfi Ugo/ });
  await expect(dam).toHaveAttribute('aria-selected', 'true');
  await expect.poll(active).toMatch(/Diga di Ridracoli/);
  await box.press('ArrowDown');
  await expect(person).toHaveAttribute('aria-selected', 'true');
  await expect(dam).toHaveAttribute('aria-selected', 'false');
  await expect.poll(active).toMatch(/Ridolfi Ugo/);
  await expectAccessible(page);
  // The arrows wrap around.
  await box.press('ArrowDown');
  await expect(dam).toHaveAttribute('aria-selected', 'true');
  await box.press('ArrowUp');
  await expect(person).toHaveAttribute('aria-selected', 'true');
  await expect(box).toBeFocused();

  await box.fill('introvabile');
  await expect(status).toHaveText(/^Nessun risultato/);
  await expect(box).toHaveAttribute('aria-expanded', 'false');
  await expectAccessible(page);
  await box.fill('travel');
  await expect(dialog.getByRole('option', { name: 'Travel requirements' })).toHaveAttribute('lang', 'en');
});

test('repeating a search in the palette finds a record created meanwhile', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  const page = await openAs(user);
  await page.goto('/app/home');
  const search = async () => {
    await pressShortcut(page, 'Control+k');
    await page.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox').fill('ridolfi');
  };
  await search();
  await expect(page.getByText('Nessun risultato', { exact: false })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await app.make.employee(user, { name: 'Ridolfi Ugo' });
  await search();
  await expect(page.getByRole('option', { name: /Ridolfi Ugo/ })).toBeVisible();
});

test('the palette says that the search of records failed, even when it finds a page', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 500/);
  const page = await openAs(await app.make.user());
  await page.route('**/api/search?*', (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'Errore interno' } } }),
  );
  await page.goto('/app/home');
  await pressShortcut(page, 'Control+k');
  const dialog = page.getByRole('dialog', { name: 'Cerca' });
  await dialog.getByRole('combobox').fill('supporto');
  await expect(dialog.getByRole('option', { name: 'Supporto 24/7' })).toBeVisible();
  await expect(dialog.getByRole('status')).toHaveText('La ricerca non risponde. Riprova tra poco.');
});

test('the palette finds records of customers for administrators', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user({ fullName: 'Ottavio Quarnaro', companyName: 'Moli e Fari' });
  const project = await app.make.project(customer, { name: 'Molo Quarnaro' });
  const { invoiceNumber } = await app.make.invoice(customer, project);
  const { id } = await app.make.tripRequest(customer, { city: 'Fiume', projectName: 'Molo Quarnaro' });
  const find = async (page: Page, path: string, hit: string) => {
    await page.goto(path);
    await pressShortcut(page, 'Control+k');
    const dialog = page.getByRole('dialog', { name: 'Cerca' });
    await dialog.getByRole('combobox').fill('quarnaro');
    await expect(dialog.getByRole('option', { name: hit })).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('option', { name: hit }).click();
  };
  const clerk = await openAs(await app.make.invoiceAdmin());
  await find(clerk, '/app/admin/invoices?stato=Pagata', 'Ottavio Quarnaro, Moli e Fari · Molo Quarnaro');
  await expect(clerk).toHaveURL(`/app/admin/invoices?cerca=${invoiceNumber}`);
  await expect(clerk.getByRole('searchbox', { name: 'Cerca' })).toHaveValue(invoiceNumber);
  await expect(clerk.getByText('1 fattura', { exact: true })).toBeVisible();
  await find(clerk, '/app/admin/invoices', `Moli e Fari · ${customer.email}`);
  await expect(clerk).toHaveURL(`/app/admin/invoices?cliente=${customer.id}`);
  await expect(clerk.getByRole('combobox', { name: 'Utente' })).toHaveValue('Ottavio Quarnaro');
  await expect(clerk.getByText('1 fattura', { exact: true })).toBeVisible();
  await clerk.keyboard.press('Control+k');
  await clerk.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox').fill('introvabile');
  await expect(clerk.getByText('Prova con un cliente, un progetto o un numero di fattura.')).toBeVisible();

  const admin = await openAs(await app.make.user({ role: 'admin' }));
  await find(admin, '/app/home', 'Fiume');
  await expect(admin).toHaveURL(`/app/gestione-richieste/${id}`);
  await find(admin, '/app/home', customer.email);
  await expect(
    admin.getByRole('button', { name: 'Utente: Ottavio Quarnaro, togli il filtro' }),
  ).toBeVisible();
  await expect(admin.getByText('1 di 1')).toBeVisible();
});

test('Enter in the palette opens the first result and scrolls to it', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const user = await app.make.user();
  for (let count = 0; count < 30; count += 1) await app.make.employee(user, {});
  await app.make.employee(user, { name: 'Zeno Ridolfi' }, await app.make.project(user));
  const page = await openAs(user);
  await page.goto('/app/home');
  await pressShortcut(page, 'Control+k');
  const box = page
    .getByRole('dialog', { name: 'Cerca' })
    .getByRole('combobox', { name: /^Cerca progetti, persone, fatture/ });
  await box.fill('ridolfi');
  await expect(page.getByRole('option', { selected: true })).toHaveText(/Zeno Ridolfi/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/tab=team&cerca=Zeno/);
  await expect(page.getByRole('table', { name: 'Team completo' }).getByText('Zeno Ridolfi')).toBeInViewport();
  const search = page.getByLabel(/^Cerca per nome/);
  await search.fill('');
  await expect(page).toHaveURL('/app/progetti-team?tab=team');
});

test('choosing the current page in the palette adds nothing to go back through', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const page = await openAs(await app.make.user());
  await page.goto('/app/profile');
  const menu = page.getByRole('navigation', { name: 'Menu principale' });
  await menu.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page).toHaveURL('/app/home');
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Cerca' });
  await dialog.getByRole('combobox').fill('home');
  await expect(page.getByRole('option', { selected: true })).toHaveText('Home');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL('/app/profile');
});

test('the result opened by the palette stays in sight when content above it loads late', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  for (let count = 0; count < 20; count += 1)
    await app.make.employee(user, {}, await app.make.project(user, { name: `Lotto ${count}` }));
  await app.make.employee(user, { name: 'Zeno Ridolfi' });
  const page = await openAs(user);
  const browser = await page.context().newCDPSession(page);
  const late = Promise.withResolvers<void>();
  await page.route('**/api/projects/timeline?**', (route) => late.promise.then(() => route.fallback()));
  await page.clock.install();
  await page.goto('/app/home');
  await pressShortcut(page, 'Control+k');
  const box = page
    .getByRole('dialog', { name: 'Cerca' })
    .getByRole('combobox', { name: /^Cerca progetti, persone, fatture/ });
  await box.fill('ridolfi');
  await page.clock.runFor(1000);
  await expect(page.getByRole('option', { selected: true })).toHaveText(/Zeno Ridolfi/);
  await page.keyboard.press('Enter');
  const person = page.getByRole('table', { name: 'Team completo' }).getByText('Zeno Ridolfi');
  await expect(person).toBeInViewport();
  await page.clock.runFor(10_000);
  // A slow machine, on which time passes between the answer and its content.
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 20 });
  const answered = page.waitForResponse('**/api/projects/timeline?**');
  late.resolve();
  await answered;
  for (let step = 0; step < 12; step += 1) await page.clock.runFor(250);
  const calendar = page.getByRole('region', { name: 'Calendario trasferte' });
  await expect(calendar.getByText('Lotto 7', { exact: true })).toBeAttached();
  await expect(person).toBeInViewport();
});

test('in the palette the days of a project stay behind its place in Arabic or Hebrew letters', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const today = todayInRome();
  // What tells two of the same name apart.
  for (const startDate of [today, addDays(today, 365)])
    await app.make.project(customer, {
      name: 'Fermata',
      location: 'حيفا 12',
      startDate,
      endDate: addDays(startDate, 20),
    });
  const page = await openAs(customer);
  await page.goto('/app/home');
  await pressShortcut(page, 'Control+k');
  await page.getByRole('dialog', { name: 'Cerca' }).getByRole('combobox').fill('fermata');
  const details = page
    .getByRole('option')
    .getByText(/حيفا 12.*\d\d\/\d\d\/\d{4}/)
    .first();
  await expect(details).toBeVisible();
  await expectDrawnBehind(details, 'حيفا 12');
});
