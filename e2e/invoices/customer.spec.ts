import type { Locator } from '@playwright/test';
import { addDays, formatDate, todayInRome, withArticle } from '#contract/dates.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { listenToStatus } from '../support/announcements.ts';
import { bytesOf, entryOf } from '../support/invoices.ts';
import { expectToFit } from '../support/layout.ts';
import { expect, test } from '../support/test.ts';

test('a customer filters, sums, exports and deletes their own invoices', async ({ app, openAs }) => {
  const customer = await app.make.user();
  const first = await app.make.project(customer, { name: 'Acciaieria di Terni' });
  const second = await app.make.project(customer, { name: 'Porto di Livorno' });
  const issueDate = addDays(todayInRome(), -1);
  const day = formatDate(issueDate);
  await app.make.invoice(customer, first, { euro: 100.1, status: 'Pagata', issueDate });
  const { invoiceNumber } = await app.make.invoice(customer, second, { euro: 200.2, issueDate });
  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture?vista=fatture&stato=Da+Pagare');
  await expect(page.getByText('1 fattura', { exact: true })).toBeVisible();
  await expect(page.getByText('€ 200,20').first()).toBeVisible();
  await page.getByRole('combobox', { name: 'Periodo' }).click();
  await page.getByRole('option', { name: 'Altre date' }).click();
  const [from, to] = ['Dal', 'Al'].map((name) => page.getByRole('textbox', { name, exact: true }));
  // Half a date is no error until the field is left.
  await from?.fill('3');
  await expect(from as Locator).not.toHaveAttribute('aria-invalid', 'true');
  await from?.fill('31/02/2026');
  await to?.fill(formatDate(addDays(issueDate, -1)));
  await expect(
    page.getByRole('alert').filter({ hasText: 'Data non valida. Usa il formato gg/mm/aaaa.' }),
  ).toBeVisible();
  // Turning the phone keeps what was typed and the focus.
  const size = page.viewportSize();
  await to?.focus();
  await page.setViewportSize({ width: 600, height: 900 });
  await expect(page.getByRole('button', { name: 'Filtri (2)' })).toBeVisible();
  await expect(from as Locator).toHaveValue('31/02/2026');
  await expect(to as Locator).toBeFocused();
  if (size) await page.setViewportSize(size);
  await from?.fill(day);
  await expect(page.getByText('Prima della data di inizio')).toBeVisible();
  await expect(
    page.getByRole('status').filter({ hasText: 'Nessuna fattura corrisponde ai filtri.' }),
  ).toBeVisible();
  await to?.fill(day);
  await expect(page.getByText('1 fattura', { exact: true })).toBeVisible();
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Esporta' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  const csv = new TextDecoder().decode(await bytesOf(await waiting));
  expect(csv).toContain(`${invoiceNumber};Porto di Livorno;${day};`);
  expect(csv).toContain(';200,20;Da Pagare;');
  expect(csv).not.toContain('Acciaieria');
  await page.getByRole('button', { name: `Elimina la fattura ${invoiceNumber}` }).click();
  const doomed = page.getByRole('dialog');
  await expect(doomed).toContainText('irreversibile. La spesa del progetto «Porto di Livorno» diminuirà');
  await doomed.getByRole('button', { name: 'Elimina' }).click();
  await expect(page.getByText('Fattura eliminata con successo!')).toBeVisible();
  await expect(
    page.getByRole('status').filter({ hasText: 'Nessuna fattura corrisponde ai filtri.' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Togli i filtri' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Tutte le Fatture' })).toBeFocused();
  await expect(entryOf(page, 'Acciaieria di Terni')).toBeVisible();

  // An unknown filter can be removed, and a chosen one never flickers back to its old value.
  await page.goto('/app/pagamenti-fatture?vista=fatture&progetto=999999999');
  await expect(page.getByRole('combobox', { name: 'Progetto' })).toHaveValue('Progetto senza fatture');
  await page.getByRole('button', { name: 'Tutti i progetti' }).click();
  await expect(page).toHaveURL('/app/pagamenti-fatture?vista=fatture');
  const status = page.getByRole('combobox', { name: 'Stato' });
  const seen = await status.evaluateHandle((field: HTMLInputElement) => {
    const values = [field.value];
    const look = () => {
      if (values.at(-1) !== field.value) values.push(field.value);
      requestAnimationFrame(look);
    };
    look();
    return values;
  });
  await status.click();
  await page.getByRole('option', { name: 'Pagata' }).click();
  await expect(page).toHaveURL('/app/pagamenti-fatture?vista=fatture&stato=Pagata');
  await expect(entryOf(page, 'Acciaieria di Terni')).toBeVisible();
  expect(await seen.jsonValue()).toEqual(['', 'Pagata']);
});

test('once the filters are removed, only the figures of now are announced, not those kept from before', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const issueDate = addDays(todayInRome(), -1);
  await app.make.invoice(customer, project, { status: 'Pagata', issueDate });
  const { invoiceNumber } = await app.make.invoice(customer, project, { issueDate });
  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture?vista=fatture');
  await expect(page.getByText('2 di 2')).toBeVisible();
  await page.getByRole('combobox', { name: 'Stato' }).click();
  await page.getByRole('option', { name: 'Da Pagare' }).click();
  await expect(page.getByText('1 di 1')).toBeVisible();
  await page.getByRole('button', { name: `Elimina la fattura ${invoiceNumber}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Elimina' }).click();
  // Announced before, the list a little earlier than the toast.
  await expect(
    page.getByRole('status').filter({ hasText: 'Nessuna fattura corrisponde ai filtri.' }),
  ).toBeVisible();
  await expect(page.getByText('Fattura eliminata con successo!')).toBeVisible();
  const heard = await listenToStatus(page);
  await page.getByRole('button', { name: 'Togli i filtri' }).press('Enter');
  await expect
    .poll(async () => (await heard()).filter(Boolean))
    .toEqual([expect.stringMatching(/^1 fattura€/), '1 di 1']);
});

test('a filter that is opened again says nothing of the option that the keys had come to before', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  await app.make.invoice(customer, await app.make.project(customer));
  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture?vista=fatture');
  const status = page.getByRole('combobox', { name: 'Stato' });
  const active = () =>
    status.evaluate(
      (field) => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent,
    );
  const open = async (key: string) => {
    await status.press(key);
    await expect(status).toHaveAttribute('aria-expanded', 'true');
  };
  const close = async () => {
    await status.press('Escape');
    await expect(status).toHaveAttribute('aria-expanded', 'false');
  };
  await open('ArrowDown');
  await expect.poll(active).toBe('Da Pagare');
  await status.press('ArrowDown');
  await expect.poll(active).toBe('Pagata');
  await close();
  // Enter would now choose nothing.
  await open('Space');
  expect(await active()).toBeUndefined();
  await status.press('ArrowDown');
  await expect.poll(active).toBe('Da Pagare');
  await close();
  await open('ArrowDown');
  await expect.poll(active).toBe('Da Pagare');
  await status.press('Enter');
  await expect(status).toHaveValue('Da Pagare');
});

test('a letter typed in a filter comes to the next option that begins with it', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  await app.make.invoice(customer, await app.make.project(customer));
  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture?vista=fatture');
  const period = page.getByRole('combobox', { name: 'Periodo' });
  /** What a screen reader says of the list, and what is marked in it. */
  const expectAt = async (option: string) => {
    await expect(page.getByRole('option', { name: option })).toHaveAttribute('data-combobox-selected');
    const active = await period.getAttribute('aria-activedescendant');
    await expect(page.locator(`[id="${active}"]`)).toHaveText(option);
  };
  await period.press('u');
  await expect(period).toHaveAttribute('aria-expanded', 'true');
  await expectAt('Ultimi 30 giorni');
  await period.press('u');
  await expectAt('Ultimi 3 mesi');
  await period.press('ArrowDown');
  await expectAt('Quest’anno');
  await period.press('Escape');
  await expect(period).toHaveValue('Sempre');
  await period.pressSequentially('al');
  await expectAt('Altre date');
  await period.press('Enter');
  await expect(period).toHaveValue('Altre date');
  await expect(page.getByRole('textbox', { name: 'Dal' })).toBeVisible();
});

test('a customer without invoices sees four read-only examples', async ({ app, openAs }) => {
  const page = await openAs(await app.make.user());
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/app/pagamenti-fatture');
  await expect(page.getByText('Nessuna fattura disponibile.')).toBeVisible();
  // Four invoices, and the same three sums as on Home.
  await expect(page.getByText('Esempio', { exact: true })).toHaveCount(7);
  await expect(page.getByText('€ 6.240,50')).toHaveCount(2);
  await expect(page.getByRole('button', { name: /Elimina la fattura/ })).toHaveCount(0);
  await expectAccessible(page);
  await expectToFit(page);
});

test('a customer whose last invoice is gone is not asked to create one', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  await app.make.invoice(customer, await app.make.project(customer));
  const page = await openAs(customer);
  const totals = { amount: 0, paid: 0, unpaid: 0 };
  await page.route('**/api/invoices?*', (route) =>
    route.fulfill({ json: { items: [], total: 0, nextCursor: null, totals } }),
  );
  await page.goto('/app/pagamenti-fatture?vista=fatture');
  await expect(page.getByText('Nessuna fattura disponibile.')).toBeVisible();
  await expect(page.getByText(/^Quando emetteremo la prima/)).toBeVisible();
  await expect(page.getByText('Crea una nuova fattura per iniziare.')).toHaveCount(0);
});

test('the figures of Home lead to the invoices that they count', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const page = await openAs(customer);
  const examples = page.getByText('Nessuna fattura disponibile.');
  await page.goto('/app/pagamenti-fatture');
  await expect(examples).toBeVisible();
  await app.make.invoice(customer, await app.make.project(customer), { euro: 1234 });
  const menu = page.getByRole('navigation', { name: 'Menu principale' });
  await menu.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page.getByText('€ 1.234,00').first()).toBeVisible();
  await page.getByRole('link', { name: 'Fatture da Pagare', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pagamenti e Fatture');
  await expect(page.getByText('€ 1.234,00').first()).toBeVisible();
  await expect(examples).toHaveCount(0);
});

test('the way from the overview to the overdue invoices leaves the focus on their tab', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const user = await app.make.user();
  const today = todayInRome();
  const values = { issueDate: addDays(today, -40), dueDate: addDays(today, -5) };
  await app.make.invoice(user, await app.make.project(user), values);
  const page = await openAs(user);
  await page.goto('/app/pagamenti-fatture');
  await page.getByRole('link', { name: 'Guarda quale' }).press('Enter');
  await expect(page.getByRole('tab', { name: 'Fatture' })).toBeFocused();
  await page.getByRole('button', { name: 'Esporta' }).focus();
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Panoramica' })).toBeFocused();
});

test('an overdue invoice says so beside its state', async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Centrale di Entracque' });
  const dueDate = addDays(todayInRome(), -3);
  const issueDate = addDays(dueDate, -30);
  const { invoiceNumber: number } = await app.make.invoice(customer, project, { issueDate, dueDate });
  const gates = await app.make.project(customer, { name: 'Paratoie di Entracque' });
  const undated = await app.make.invoice(customer, gates, { dueDate: null });
  const tomorrow = addDays(todayInRome(), 1);
  const due = await app.make.invoice(customer, gates, { dueDate: tomorrow });
  const late = `scaduta ${withArticle('il', formatDate(dueDate))}`;
  const before = await app.make.project(customer, { name: 'Diga di Ridracoli' });
  for (let count = 0; count < 5; count += 1)
    await app.make.invoice(customer, before, { issueDate: addDays(issueDate, -1) });
  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture?vista=fatture&stato=Da+Pagare');
  const own = entryOf(page, 'Centrale di Entracque');
  await expect(own.getByText('Da Pagare', { exact: true })).toBeVisible();
  await expect(own.getByText('scaduta', { exact: true })).toBeVisible();
  await expect(own).toContainText(formatDate(dueDate));
  await expectAccessible(page);
  await expectToFit(page);
  await page.goto('/app/pagamenti-fatture');
  const recent = page.getByRole('region', { name: 'Fatture Recenti' });
  await expect(recent.getByText('Da Pagare', { exact: true })).toHaveCount(5);
  await expect(own.getByText('Da Pagare', { exact: true })).toBeVisible();
  await expect(own.getByText(late)).toBeVisible();

  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.bringToFront();
  await desk.goto('/app/admin/invoices?cerca=entracque');
  const row = entryOf(desk, number);
  const mark = async (state: string) => {
    await row.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: `Segna come ${state}` }).click();
    await expect(desk.getByText(`Stato fattura aggiornato a: ${state}`)).toBeVisible();
    await expect(row.getByText(state, { exact: true })).toBeVisible();
  };
  await expect(row.getByText(late)).toBeVisible();
  await expect(entryOf(desk, due.invoiceNumber).getByText(`scade ${formatDate(tomorrow)}`)).toBeVisible();
  await expect(entryOf(desk, undated.invoiceNumber).getByText(/scad/)).toHaveCount(0);
  await mark('Pagata');
  await expect(row.getByText(/scad/)).toHaveCount(0);
  await mark('Da Pagare');
  await expect(row.getByText(late)).toBeVisible();
  await expectAccessible(desk);
  await expectToFit(desk);
});
