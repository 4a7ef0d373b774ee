import { readFile, rm, writeFile } from 'node:fs/promises';
import type { Download, Page, Route } from '@playwright/test';
import { unzipSync } from 'fflate';
import { addDays, formatDate, todayInRome, withArticle } from '#contract/dates.ts';
import { INVOICE_NUMBER } from '#contract/invoices.ts';
import { pdfOf, readablePdf } from '#server/testing/pdf.ts';
import { expectAccessible } from './support/accessibility.ts';
import { answerOnce } from './support/answer-once.ts';
import { expectToFit } from './support/layout.ts';
import { expect, test } from './support/test.ts';

const pdf = (name: string, content: Uint8Array) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(content),
});

async function bytesOf(download: Download): Promise<Uint8Array> {
  return new Uint8Array(await readFile(await download.path()));
}

/** A table row, or its card on a phone. */
const entry = (page: Page, text: string) =>
  page.getByRole('row', { name: text }).or(page.getByRole('listitem').filter({ hasText: text }));

async function choose(page: Page, label: string, typed: string, option: RegExp | string): Promise<void> {
  const field = page.getByRole('dialog').getByRole('combobox', { name: label });
  await field.click();
  await field.fill(typed);
  await page.getByRole('option', { name: option }).click();
}

test('the clerk creates an invoice with its PDF, and the customer downloads the same bytes', async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user({ fullName: 'Rosa Bruni', companyName: 'Bruni Ponteggi S.r.l.' });
  await app.make.project(customer, { name: 'Ponte sul Sesia' });
  await app.make.project(await app.make.user({ fullName: 'Ugo Neri' }), { name: 'Di qualcun altro' });
  const content = await readablePdf('Fattura di novembre');
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto('/app/home');
  await expect(desk).toHaveURL('/app/admin/invoices');
  await expect(desk.getByRole('heading', { level: 1 })).toHaveText('Gestione Fatture Admin');

  await desk.getByRole('button', { name: 'Crea Nuova Fattura' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Crea Nuova Fattura' });
  const project = dialog.getByRole('combobox', { name: 'Progetto' });
  await expect(project).toBeDisabled();
  await expect(project).toHaveAttribute('placeholder', 'Seleziona prima un utente');
  await dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  for (const message of ['Seleziona un utente', 'Seleziona un progetto', 'Importo obbligatorio']) {
    await expect(dialog.getByText(message, { exact: true })).toBeVisible();
  }
  await expect(dialog.getByRole('combobox', { name: 'Utente' })).toBeFocused();

  // Choosing another customer clears the project and offers that customer's projects.
  await choose(desk, 'Utente', 'neri', /Ugo Neri/);
  await choose(desk, 'Progetto', '', 'Di qualcun altro');
  await choose(desk, 'Utente', 'ponteggi', /Rosa Bruni/);
  await expect(project).toHaveValue('');
  await project.fill('Di qualcun altro');
  await expect(
    desk.getByRole('status').filter({ hasText: 'Nessun progetto trovato per questo utente' }),
  ).toBeVisible();
  await choose(desk, 'Progetto', '', 'Ponte sul Sesia');
  // A rejected amount stays as typed; it is not rounded to a valid one.
  const amount = dialog.getByRole('textbox', { name: 'Importo' });
  await amount.fill('1250,505');
  await dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await expect(dialog.getByText(/^Importo non valido\./)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Scadenza' }).focus();
  await expect(amount).toHaveValue('1250,505');
  await amount.fill('1.250,50');
  // The calendar runs from 1900 to today.
  const issue = dialog.getByRole('textbox', { name: 'Data Emissione' });
  const open = desk.getByRole('dialog', { name: 'Seleziona data' });
  for (const [month, limit, beyond] of [
    ['20/01/1900', '01/01/1900', 'Mese precedente'],
    [formatDate(todayInRome()), formatDate(todayInRome()), 'Mese successivo'],
  ] as const) {
    const show = dialog.getByRole('button', { name: 'Seleziona data: Data Emissione' });
    const days = open.getByRole('button', { name: /^\d+ \w+ \d{4}$/, disabled: false });
    await issue.fill(month);
    await show.click();
    await expect(open.getByRole('button', { name: beyond })).toBeDisabled();
    await expect(open.locator('[aria-current="date"]')).toHaveCount(beyond === 'Mese successivo' ? 1 : 0);
    await (beyond === 'Mese precedente' ? days.first() : days.last()).click();
    await expect(open).toBeHidden();
    await expect(issue).toHaveValue(limit);
  }
  const issued = formatDate(addDays(todayInRome(), -1));
  await issue.fill(issued);
  const file = dialog.locator('input[type="file"]');
  await file.setInputFiles(pdf('lettera.pdf', new TextEncoder().encode('Gentile cliente')));
  await expect(dialog.getByText('Solo file PDF sono permessi')).toBeVisible();
  await file.setInputFiles(pdf('vuoto.pdf', new Uint8Array(0)));
  await expect(dialog.getByText('Il file è vuoto')).toBeVisible();
  // From a file on disk: passing so many bytes to the browser takes seconds.
  const large = test.info().outputPath('grande.pdf');
  await writeFile(large, pdfOf(10_485_761));
  await file.setInputFiles(large);
  await expect(dialog.getByText('Il file non può essere più grande di 10MB')).toBeVisible();
  // Choosing a file replaces the focused button, and removing it brings that back.
  await dialog.getByRole('button', { name: 'Scegli un PDF' }).focus();
  await file.setInputFiles(pdf('fattura novembre.pdf', content));
  await expect(desk.getByText('File PDF selezionato')).toBeVisible();
  const takeOff = dialog.getByRole('button', { name: 'Togli fattura novembre.pdf' });
  await expect(takeOff).toBeFocused();
  await takeOff.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Scegli un PDF' })).toBeFocused();
  await desk.evaluate(() => {
    const { arrayBuffer } = Blob.prototype;
    Blob.prototype.arrayBuffer = () => {
      Blob.prototype.arrayBuffer = arrayBuffer;
      return Promise.reject(new DOMException('The file could not be read', 'NotReadableError'));
    };
  });
  await file.setInputFiles(pdf('fattura novembre.pdf', content));
  await expect(dialog.getByText('Non è stato possibile leggere il file: sceglilo di nuovo.')).toBeVisible();
  await file.setInputFiles(pdf('fattura novembre.pdf', content));
  await expect(takeOff).toBeVisible();
  // No toast covers the focused field.
  const first = dialog.getByRole('combobox', { name: 'Utente' });
  await first.focus();
  await first.click({ trial: true, timeout: 3000 });
  await expectAccessible(desk);
  const busy = Promise.withResolvers<void>();
  await answerOnce(desk, 'admin/invoices', (route) => busy.promise.then(() => route.fallback()));
  await dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await expect(dialog.getByRole('button', { name: 'Creazione...' })).toBeDisabled();
  busy.resolve();
  await expect(desk.getByText('Fattura creata con successo!')).toBeVisible();
  await expect(dialog).toBeHidden();

  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture');
  await expect(page.getByText('€ 1.250,50').first()).toBeVisible();
  await page.getByRole('tab', { name: 'Fatture' }).click();
  const row = entry(page, 'Ponte sul Sesia');
  await expect(row).toContainText(issued);
  await expectAccessible(page);
  await expectToFit(page);
  const number = ((await row.textContent()) ?? '').match(/FAT\d{13}[A-Z0-9]{8}/)?.[0] ?? '';
  expect(number).toMatch(INVOICE_NUMBER);
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: `Scarica il PDF della fattura ${number}` }).click();
  await expect(page.getByText(`Download della fattura ${number} avviato`)).toBeVisible();
  const download = await waiting;
  expect(download.suggestedFilename()).toBe('fattura novembre.pdf');
  expect(await bytesOf(download)).toEqual(content);
});

test('the clerk changes the state, edits, handles the file, reads the history, updates several at once and deletes', async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user({ fullName: 'Teresa Lodi' });
  const project = await app.make.project(customer, { name: 'Diga di Ridracoli' });
  const invoice = await app.make.invoice(customer, project, { euro: 480 });
  await app.make.invoice(customer, project, { euro: 20.5 });
  const { invoiceNumber: number } = invoice;
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices');
  const create = desk.getByRole('button', { name: 'Crea Nuova Fattura' });
  await create.click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Annulla' }).press('Enter');
  await expect(create).toBeFocused();
  await desk.getByRole('searchbox', { name: 'Cerca' }).fill('ridracoli');
  await expect(desk.getByText('2 fatture', { exact: true })).toBeVisible();
  await expect(desk.getByRole('table').getByRole('row')).toHaveCount(3);
  await expectAccessible(desk);
  await expectToFit(desk);

  const act = async (item: string) => {
    await desk.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: item }).click();
  };
  await act('Segna come Pagata');
  await expect(desk.getByText('Stato fattura aggiornato a: Pagata')).toBeVisible();
  await act('Segna come Da Pagare');
  await expect(desk.getByText('Stato fattura aggiornato a: Da Pagare')).toBeVisible();

  await act('Modifica');
  const edit = desk.getByRole('dialog', { name: 'Modifica fattura' });
  await expect(edit.getByRole('textbox', { name: 'Importo' })).toBeVisible();
  await desk.keyboard.press('Escape');
  await expect(desk.getByRole('button', { name: `Azioni sulla fattura ${number}` })).toBeFocused();
  await act('Modifica');
  await edit.getByRole('textbox', { name: 'Importo' }).fill('500,01');
  // Turning a tablet replaces the table with cards, but only after the open edit is saved.
  await desk.setViewportSize({ width: 768, height: 1024 });
  await expect(edit.getByRole('textbox', { name: 'Importo' })).toHaveValue('500,01');
  await edit.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(desk.getByText('Fattura aggiornata')).toBeVisible();
  await expect(desk.getByRole('table')).toHaveCount(0);
  await desk.setViewportSize({ width: 1440, height: 900 });
  await expect(desk.getByRole('table').getByRole('row')).toHaveCount(3);
  await expect(desk.getByText('€ 520,51').first()).toBeVisible();

  await desk.getByRole('button', { name: `Carica PDF della fattura ${number}` }).click();
  const uploading = desk.getByRole('dialog', { name: 'Carica PDF' });
  await uploading.locator('input[type="file"]').setInputFiles(pdf('diga.pdf', await readablePdf('Diga')));
  await uploading.getByRole('button', { name: 'Carica PDF' }).click();
  await expect(desk.getByText('File caricato con successo!')).toBeVisible();
  await desk.getByRole('button', { name: `Anteprima di diga.pdf, PDF della fattura ${number}` }).click();
  const preview = desk.getByRole('dialog', { name: 'diga.pdf' });
  await expect(
    preview.locator('iframe[src^="blob:"]').or(preview.getByText(/non mostra i PDF/)),
  ).toBeVisible();
  await preview.getByRole('button', { name: 'Chiudi' }).click();

  const onFile = async (item: string) => {
    await desk.getByRole('button', { name: `Azioni sul PDF della fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: item }).click();
  };
  const saved = desk.waitForEvent('download');
  await onFile('Scarica PDF');
  expect((await saved).suggestedFilename()).toBe('diga.pdf');
  await expect(desk.getByText('File scaricato con successo!')).toBeVisible();
  const doomed = desk.getByRole('dialog', { name: 'Elimina Fattura' });
  await act('Elimina');
  await expect(doomed).toContainText('in modo irreversibile, con il suo PDF.');
  await doomed.getByRole('button', { name: 'Annulla' }).click();
  await onFile('Elimina PDF');
  await desk.getByRole('dialog').getByRole('button', { name: 'Elimina' }).click();
  await expect(desk.getByText('File eliminato con successo!')).toBeVisible();

  await act('Cronologia');
  const history = desk.getByRole('dialog', { name: 'Cronologia' });
  await expect(history.getByText('Importo: € 480,00 → € 500,01')).toBeVisible();
  await expect(history.getByText('PDF eliminato')).toBeVisible();
  await expectAccessible(desk);
  await history.getByRole('button', { name: 'Chiudi' }).click();

  await desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' }).check();
  await desk.getByRole('button', { name: 'Segna come Pagate' }).click();
  await expect(desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' })).toBeFocused();
  await expect(desk.getByText('Pagate', { exact: true }).locator('..')).toContainText('€ 520,51');

  await act('Elimina');
  await expect(doomed).toContainText('in modo irreversibile.');
  const busy = Promise.withResolvers<void>();
  await answerOnce(desk, `admin/invoices/${number}?*`, (route) => busy.promise.then(() => route.fallback()));
  await doomed.getByRole('button', { name: 'Elimina' }).click();
  await expect(doomed.getByRole('button', { name: 'Eliminando...' })).toBeDisabled();
  // A spinner would cover the label.
  await expect(doomed.locator('[data-loading]')).toHaveCount(0);
  busy.resolve();
  await expect(desk.getByText('Fattura eliminata con successo.')).toBeVisible();
  await expect(desk.getByRole('table').getByRole('row')).toHaveCount(2);
});

test('when two windows edit one invoice, the later one is shown both versions', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 409/);
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Viadotto Polcevera' });
  await app.make.project(customer, { name: 'Galleria di base' });
  const { invoiceNumber: number } = await app.make.invoice(customer, project, { euro: 480 });
  const clerk = await app.make.invoiceAdmin();
  const [first, second] = await Promise.all([openAs(clerk), openAs(clerk)]);
  const open = async (page: Page) => {
    await page.bringToFront();
    await page.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
    await page.getByRole('menuitem', { name: 'Modifica' }).click();
  };
  const save = async (page: Page, amount: string) => {
    await page.bringToFront();
    await page.getByRole('textbox', { name: 'Importo' }).fill(amount);
    await page.getByRole('button', { name: 'Salva modifiche' }).click();
  };
  for (const page of [first, second]) {
    await page.bringToFront();
    await page.goto('/app/admin/invoices');
    await page.getByRole('searchbox', { name: 'Cerca' }).fill('polcevera');
    await expect(page.getByText('1 fattura', { exact: true })).toBeVisible();
    await open(page);
  }
  await first.bringToFront();
  await choose(first, 'Progetto', '', 'Galleria di base');
  await save(first, '500');
  await expect(first.getByText('Fattura aggiornata')).toBeVisible();
  await first.getByRole('searchbox', { name: 'Cerca' }).fill('galleria');
  await expect(first.getByText('1 fattura', { exact: true })).toBeVisible();
  await save(second, '600');
  const notice = second.getByRole('note').filter({ hasText: 'Qualcuno ha modificato questi dati' });
  await expect(notice.getByRole('row', { name: 'Importo' })).toContainText('€ 600,00');
  await expect(notice.getByRole('row', { name: 'Importo' })).toContainText('€ 500,00');
  await expect(notice.getByRole('row', { name: 'Progetto' })).toContainText('Viadotto Polcevera');
  await expect(notice.getByRole('row', { name: 'Progetto' })).toContainText('Galleria di base');
  await expectAccessible(second);
  await notice.getByRole('button', { name: 'Usa la versione salvata' }).click();
  await expect(second.getByRole('combobox', { name: 'Progetto' })).toHaveValue('Galleria di base');
  await expect(second.getByRole('textbox', { name: 'Importo' })).toHaveValue(/500/);
  await expect(second.getByRole('combobox', { name: 'Progetto' })).toBeFocused();
  await save(second, '700');
  await expect(second.getByText('Fattura aggiornata')).toBeVisible();

  // Closed without a choice, the list and the form show the saved version.
  await open(first);
  await expect(first.getByRole('textbox', { name: 'Importo' })).toHaveValue(/500/);
  await save(first, '800');
  await expect(first.getByRole('note').filter({ hasText: 'Qualcuno ha modificato' })).toBeVisible();
  await first.getByRole('dialog').getByRole('button', { name: 'Annulla' }).click();
  await expect(first.getByRole('row').filter({ hasText: number })).toContainText('€ 700,00');
  await open(first);
  await expect(first.getByRole('textbox', { name: 'Importo' })).toHaveValue(/700/);
  await save(first, '800');
  await expect(first.getByText('Fattura aggiornata')).toBeVisible();
});

test('the address holds the search, the filters and the order of invoices', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user({ fullName: 'Bice Tagliamento' });
  const project = await app.make.project(customer, { name: 'Argine Tagliamento' });
  for (const euro of [300, 100, 200]) await app.make.invoice(customer, project, { euro });
  await app.make.invoice(customer, project, { euro: 50, status: 'Pagata' });
  const clerk = await app.make.invoiceAdmin();
  const desk = await openAs(clerk);
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices');
  const steps = await desk.evaluate(() => history.length);
  const field = (name: string) => desk.getByRole('combobox', { name });
  await field('Utente').fill('tagliamento');
  await desk.getByRole('option', { name: /Bice/ }).click();
  await desk.getByRole('searchbox', { name: 'Cerca' }).pressSequentially('argine');
  await field('Stato').click();
  await desk.getByRole('option', { name: 'Da Pagare', exact: true }).click();
  await field('File PDF').click();
  await desk.getByRole('option', { name: 'Senza PDF' }).click();
  await desk.getByRole('button', { name: 'Importo' }).click();
  const expectFound = async (page: Page) => {
    await expect(page.getByText('3 fatture', { exact: true })).toBeVisible();
    await expect(page.getByRole('row').getByRole('strong')).toHaveText(['€ 100,00', '€ 200,00', '€ 300,00']);
    await expect(page.getByRole('searchbox', { name: 'Cerca' })).toHaveValue('argine');
    await expect(page.getByRole('combobox', { name: 'Utente' })).toHaveValue('Bice Tagliamento');
    await expect(page.getByRole('combobox', { name: 'Stato' })).toHaveValue('Da Pagare');
    await expect(page.getByRole('combobox', { name: 'File PDF' })).toHaveValue('Senza PDF');
    const amount = page.getByRole('columnheader', { name: 'Importo' });
    await expect(amount).toHaveAttribute('aria-sort', 'ascending');
  };
  await expectFound(desk);
  expect(await desk.evaluate(() => history.length)).toBe(steps);
  await desk.reload();
  await expectFound(desk);
  const other = await openAs(clerk);
  await other.setViewportSize({ width: 1440, height: 900 });
  await other.goto(desk.url());
  await expectFound(other);

  const waiting = other.waitForEvent('download');
  const asked = todayInRome();
  await other.getByRole('button', { name: 'Esporta' }).click();
  await other.getByRole('menuitem', { name: 'Excel' }).click();
  const download = await waiting;
  // The server picks the day, which may have changed meanwhile.
  expect([asked, todayInRome()].map((day) => `fatture-${day}.xlsx`)).toContain(download.suggestedFilename());
  const { 'xl/worksheets/sheet1.xml': sheet } = unzipSync(await bytesOf(download));
  const written = new TextDecoder().decode(sheet);
  expect(written.match(/<row /g)).toHaveLength(4);
  expect(written.match(/(?<=<v>)[1-3]00(?=<\/v>)/g)).toEqual(['100', '200', '300']);

  await other.getByRole('searchbox', { name: 'Cerca' }).fill('introvabile');
  await other.getByRole('button', { name: 'Togli i filtri' }).press('Enter');
  await expect(other.getByRole('heading', { name: 'Fatture nel Sistema' })).toBeFocused();
  await expect(other).toHaveURL('/app/admin/invoices?ordine=importo&verso=crescente');
  for (const name of ['Utente', 'Stato']) await expect(other.getByRole('combobox', { name })).toHaveValue('');
  await expect(other.getByRole('searchbox', { name: 'Cerca' })).toHaveValue('');
  // The button that clears a filter disappears with it.
  await desk.bringToFront();
  await desk.getByRole('button', { name: 'Togli la scelta' }).press('Enter');
  await expect(field('Utente')).toBeFocused();
  await expect(field('Utente')).toHaveValue('');
  await desk.getByRole('button', { name: 'Tutti gli stati' }).press('Enter');
  await expect(field('Stato')).toBeFocused();
  await expect(field('Stato')).toHaveValue('');
  await desk.getByRole('button', { name: 'Cancella la ricerca' }).press('Enter');
  await expect(desk.getByRole('searchbox', { name: 'Cerca' })).toBeFocused();
  await expect(desk.getByRole('searchbox', { name: 'Cerca' })).toHaveValue('');
});

test('two changes of the address in quick succession are both kept', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  await app.make.invoice(customer, await app.make.project(customer));
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('combobox', { name: 'Stato' }).click();
  const order = await desk.getByRole('button', { name: 'Importo' }).elementHandle();
  await desk
    .getByRole('option', { name: 'Da Pagare', exact: true })
    .evaluate((option: HTMLElement, button) => {
      option.click();
      // A key press commits the choice at once.
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true }));
      (button as HTMLElement).click();
    }, order);
  await expect(desk).toHaveURL('/app/admin/invoices?stato=Da+Pagare&ordine=importo&verso=crescente');
  await expect(desk.getByRole('combobox', { name: 'Stato' })).toHaveValue('Da Pagare');
});

test('invoices marked as paid leave a list filtered by state', { tag: '@once' }, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Raffineria di Gela' });
  // With a PDF, whose menu is in the same row.
  for (const euro of [100, 200.5]) {
    await app.make.invoice(customer, project, { euro, fileName: 'a.pdf', fileUrl: `${customer.id}/${euro}` });
  }
  await app.make.invoice(customer, project, { euro: 50, status: 'Pagata' });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('searchbox', { name: 'Cerca' }).fill('raffineria');
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
  await mark('Pagata');
  await expect(menus).toHaveCount(1);
  await expect(menus).toBeFocused();
  await only('Pagata');
  await expect(menus).toHaveCount(2);
  await mark('Da Pagare');
  await expect(menus).toHaveCount(1);
  await desk.getByRole('button', { name: 'Tutti gli stati' }).click();
  await expect(desk.getByText('3 fatture', { exact: true })).toBeVisible();
  const all = desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' });
  await all.check();
  const bar = desk.getByRole('status').filter({ hasText: 'selezionate' });
  await expect(bar).toContainText('3 fatture selezionate · € 350,50, 2 da pagare');
  await only('Da Pagare');
  await expect(desk.getByText('2 fatture', { exact: true })).toBeVisible();
  await all.check();
  await expect(bar).toContainText('2 fatture selezionate · € 300,50');
  await desk.getByRole('button', { name: 'Segna come Pagate' }).click();
  await expect(desk.getByText('Stato fattura aggiornato a: Pagata')).toBeVisible();
  await expect(desk.getByRole('status').filter({ hasText: 'Nessuna fattura trovata' })).toBeVisible();
  await expect(desk.getByRole('heading', { name: 'Fatture nel Sistema' })).toBeFocused();
  // They come back unselected.
  await only('Pagata');
  await expect(desk.getByText('3 fatture', { exact: true })).toBeVisible();
  await expect(bar).toBeHidden();
});

test('with large letters on a phone, menus and the number of an invoice to delete are not cut off', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const { invoiceNumber } = await app.make.invoice(customer, project);
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 360, height: 740 });
  await desk.goto(`/app/admin/invoices?cerca=${invoiceNumber}`);
  await desk.addStyleTag({ content: 'html { font-size: 150%; }' });
  await desk.getByRole('button', { name: /^Account di/ }).click();
  const account = desk.getByRole('menu');
  await expect(account).toBeVisible();
  expect((await account.boundingBox())?.x, 'left edge of the menu').toBeGreaterThanOrEqual(0);
  await desk.keyboard.press('Escape');
  await desk.getByRole('button', { name: `Azioni sulla fattura ${invoiceNumber}` }).click();
  await desk.getByRole('menuitem', { name: 'Elimina' }).click();
  const dialog = desk.getByRole('dialog');
  await expect(dialog).toContainText(invoiceNumber);
  const [content, room] = await dialog.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
  expect(content, 'width of the question').toBeLessThanOrEqual(room ?? 0);
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

test('an invoice that moves to the next page before it is loaded appears and counts once', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Molo sopraflutto' });
  const make = (euro: number) => app.make.invoice(customer, project, { euro });
  const [moved] = await Promise.all(Array.from({ length: 26 }, (_, index) => make(index + 1)));
  const number = moved?.invoiceNumber ?? '';
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices?cerca=sopraflutto&ordine=importo&verso=crescente');
  await expect(desk.getByText('25 di 26')).toBeVisible();
  await desk.getByRole('checkbox', { name: `Seleziona ${number}` }).check();
  const change = {
    projectId: project.id,
    amount: 100,
    issueDate: todayInRome(),
    dueDate: null,
    description: '',
  };
  const edit = await desk.request.patch(`/api/admin/invoices/${number}`, { data: { version: 1, ...change } });
  expect(edit.ok()).toBe(true);
  await desk.getByRole('button', { name: 'Mostra altre' }).click();
  await expect(desk.getByText('26 di 26')).toBeVisible();
  await expect(desk.getByRole('row').last()).toContainText('€ 100,00');
  await expect(desk.getByText('1 fattura selezionata · € 100,00')).toBeVisible();
  await expect(desk.getByLabel('Totali delle fatture filtrate')).toContainText('€ 450,00');
  await expect(desk.getByRole('checkbox', { name: `Seleziona ${number}` })).toHaveCount(1);
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
    const many = Array.from({ length: 1001 }, (_, index) => ({
      ...items[0],
      number: `FAT${index}`,
      status: 'Da Pagare',
    }));
    await route.fulfill({ response, json: { ...list, items: many, total: 1001 } });
  });
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' }).check();
  const bar = desk.getByRole('status').filter({ hasText: 'selezionate' });
  await expect(bar).toContainText('1.001 fatture selezionate');
  await expect(bar).toContainText('Al massimo 1.000 fatture alla volta.');
  await expect(bar.getByRole('button', { name: 'Segna come Pagate' })).toBeDisabled();
  await desk.getByRole('checkbox', { name: 'Seleziona FAT0', exact: true }).uncheck();
  await expect(bar).not.toContainText('Al massimo');
  await expect(bar.getByRole('button', { name: 'Segna come Pagate' })).toBeEnabled();
});

test('an invoice whose project is deleted during the edit is saved without a project', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Pontile di Bari' });
  await app.make.project(customer, { name: 'Pontile di Bari' });
  const { invoiceNumber: number } = await app.make.invoice(customer, project, { euro: 480 });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('searchbox', { name: 'Cerca' }).fill(number);
  await expect(desk.getByText('1 fattura', { exact: true })).toBeVisible();
  const act = async (item: string) => {
    await desk.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: item }).click();
  };
  await act('Modifica');
  await app.make.sql('delete from projects where id = $1', [project.id]);
  const dialog = desk.getByRole('dialog', { name: 'Modifica fattura' });
  await dialog.getByRole('textbox', { name: 'Importo' }).fill('500');
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  const notice = dialog.getByRole('note').filter({ hasText: 'Qualcuno ha modificato questi dati' });
  await expect(notice.getByRole('row', { name: 'Importo' })).toContainText('€ 500,00');
  await expect(dialog.getByText('«Pontile di Bari» non esiste più: puoi sceglierne un altro.')).toBeVisible();
  await notice.getByRole('button', { name: 'Salva la mia versione' }).click();
  await expect(desk.getByText('Fattura aggiornata')).toBeVisible();
  await expect(dialog).toHaveCount(0);

  await act('Modifica');
  await dialog.getByRole('combobox', { name: 'Progetto' }).click();
  // The deleted project is listed until the list is read again.
  await expect(desk.getByRole('option', { name: 'Pontile di Bari' })).toHaveCount(1);
  await desk.getByRole('option', { name: 'Pontile di Bari' }).click();
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(dialog).toHaveCount(0);
  await act('Cronologia');
  await expect(
    desk.getByRole('dialog', { name: 'Cronologia' }).getByText('Progetto: un altro con lo stesso nome'),
  ).toBeVisible();
});

test('assigning a deleted project to an invoice shows an error at the field', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  const customer = await app.make.user();
  const gone = await app.make.project(customer, { name: 'Darsena di Ravenna' });
  const { invoiceNumber: number } = await app.make.invoice(customer, gone, { euro: 480 });
  await app.make.sql('delete from projects where id = $1', [gone.id]);
  const chosen = await app.make.project(customer, { name: 'Molo di Trieste' });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('searchbox', { name: 'Cerca' }).fill(number);
  await expect(desk.getByText('1 fattura', { exact: true })).toBeVisible();
  await desk.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
  await desk.getByRole('menuitem', { name: 'Modifica' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Modifica fattura' });
  const project = dialog.getByRole('combobox', { name: 'Progetto' });
  await project.click();
  await desk.getByRole('option', { name: 'Molo di Trieste' }).click();
  await dialog.getByRole('textbox', { name: 'Importo' }).fill('500');
  await app.make.sql('delete from projects where id = $1', [chosen.id]);
  const save = dialog.getByRole('button', { name: 'Salva modifiche' });
  await save.click();
  await expect(
    dialog.getByText('«Molo di Trieste» non esiste più: scegline un altro o salva senza progetto.'),
  ).toBeVisible();
  await expect(project).toBeFocused();
  await expect(project).toHaveValue('');
  await expect(dialog.getByText('Qualcuno ha modificato questi dati')).toHaveCount(0);
  await expect(desk.getByRole('option', { name: 'Molo di Trieste' })).toHaveCount(0);
  await save.click();
  await expect(desk.getByText('Fattura aggiornata')).toBeVisible();
});

test('the form of an invoice offers the current projects of the customer', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 422/);
  const customer = await app.make.user({ fullName: 'Ida Serramanna' });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto('/app/admin/invoices');
  const dialog = desk.getByRole('dialog', { name: 'Crea Nuova Fattura' });
  const project = dialog.getByRole('combobox', { name: 'Progetto' });
  const start = async () => {
    await desk.getByRole('button', { name: 'Crea Nuova Fattura' }).click();
    await choose(desk, 'Utente', 'serramanna', /Ida Serramanna/);
    await project.click();
  };
  await start();
  await expect(desk.getByText('Nessun progetto trovato per questo utente').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Annulla', exact: true }).click();
  await expect(dialog).toHaveCount(0);

  const gone = await app.make.project(customer, { name: 'Diga di Olginate' });
  await app.make.project(customer, { name: 'Centrale di Somplago' });
  await start();
  await desk.getByRole('option', { name: 'Diga di Olginate' }).click();
  await app.make.sql('delete from projects where id = $1', [gone.id]);
  await dialog.getByRole('textbox', { name: 'Importo' }).fill('90');
  await dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await expect(project).toHaveAttribute('aria-invalid', 'true');
  await project.click();
  await desk.getByRole('option', { name: 'Centrale di Somplago' }).click();
  await project.click();
  await expect(desk.getByRole('option')).toHaveText(['Centrale di Somplago']);
});

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
  await from?.fill('31/02/2026');
  await to?.fill(formatDate(addDays(issueDate, -1)));
  await expect(page.getByText('Data non valida. Usa il formato gg/mm/aaaa.')).toBeVisible();
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
  await expect(entry(page, 'Acciaieria di Terni')).toBeVisible();

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
  await expect(entry(page, 'Acciaieria di Terni')).toBeVisible();
  expect(await seen.jsonValue()).toEqual(['', 'Pagata']);
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
  const own = entry(page, 'Centrale di Entracque');
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
  const row = entry(desk, number);
  const mark = async (state: string) => {
    await row.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: `Segna come ${state}` }).click();
    await expect(desk.getByText(`Stato fattura aggiornato a: ${state}`)).toBeVisible();
    await expect(row.getByText(state, { exact: true })).toBeVisible();
  };
  await expect(row.getByText(late)).toBeVisible();
  await expect(entry(desk, due.invoiceNumber).getByText(`scade ${formatDate(tomorrow)}`)).toBeVisible();
  await expect(entry(desk, undated.invoiceNumber).getByText(/scad/)).toHaveCount(0);
  await mark('Pagata');
  await expect(row.getByText(/scad/)).toHaveCount(0);
  await mark('Da Pagare');
  await expect(row.getByText(late)).toBeVisible();
  await expectAccessible(desk);
  await expectToFit(desk);
});

test('the largest amounts of a chart fit on a phone', { tag: '@once' }, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Diga di Ridracoli' });
  for (const status of ['Pagata', 'Da Pagare'] as const) {
    for (let count = 0; count < 10; count += 1)
      await app.make.invoice(customer, project, { euro: 999_999.99, status });
  }
  for (let count = 1; count <= 6; count += 1) {
    const small = await app.make.project(customer, { name: `Ponte ${count}` });
    await app.make.invoice(customer, small, { euro: 1, issueDate: addDays(todayInRome(), -70) });
  }
  const page = await openAs(customer);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/app/pagamenti-fatture');
  const part = page.getByText('I 6 progetti con più spesa, su 7');
  await expect(part).toBeVisible();
  await page.getByRole('button', { name: 'Tabella: Fatture per mese di emissione, ultimi 12 mesi' }).click();
  await page.getByRole('button', { name: 'Tabella: Fatture per progetto' }).click();
  await expect(page.getByRole('cell', { name: '€ 9.999.999,90' })).toHaveCount(2);
  await expect(part).toBeHidden();
  await expectToFit(page);
});

test('a long project name without spaces does not push the chart switch out of its card', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const name = 'Commessa_2026_Raffineria_di_Sarroch_Fermata_generale_impianto_etilene';
  await app.make.invoice(customer, await app.make.project(customer, { name }));
  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture');
  const figure = page.getByRole('figure').filter({ hasText: 'Fatture per progetto' });
  const toggle = figure.getByRole('button', { name: 'Tabella: Fatture per progetto' });
  for (const width of [768, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await toggle.scrollIntoViewIfNeeded();
    await expect(toggle).toBeInViewport({ ratio: 1 });
    const [content, card] = await figure.evaluate(({ scrollWidth, clientWidth }) => [
      scrollWidth,
      clientWidth,
    ]);
    expect(content, `width of the content at ${width} px`).toBeLessThanOrEqual(card ?? 0);
  }
});

test('the months of a chart take one line each in its table on a phone', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  await app.make.invoice(customer, project, { euro: 32_018, status: 'Pagata' });
  await app.make.invoice(customer, project, { euro: 15_827.7 });
  const page = await openAs(customer);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/app/pagamenti-fatture');
  await page.getByRole('button', { name: 'Tabella: Fatture per mese di emissione, ultimi 12 mesi' }).click();
  const rows = page.getByRole('figure').first().getByRole('row');
  await expect(rows).toHaveCount(13);
  const heights = await rows.evaluateAll((all) => all.slice(1).map(({ clientHeight }) => clientHeight));
  expect(new Set(heights).size).toBe(1);
  await expectToFit(page);
});

test('an administrator creates an invoice for their own projects', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const admin = await app.make.user({ role: 'admin' });
  await app.make.project(admin, { name: 'Sede di Milano' });
  const page = await openAs(admin);
  await page.goto('/app/pagamenti-fatture');
  await page.getByRole('button', { name: 'Nuova Fattura' }).click();
  await choose(page, 'Progetto', 'sede', 'Sede di Milano');
  const dialog = page.getByRole('dialog', { name: 'Nuova Fattura' });
  await dialog.getByRole('textbox', { name: 'Importo' }).fill('75');
  await dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await expect(page.getByText('Fattura creata con successo!')).toBeVisible();
  await expect(page.getByText('€ 75,00').first()).toBeVisible();
});

const fails = (route: Route) => route.fulfill({ status: 500, json: {} });
const refuses = (code: string, message: string) => (route: Route) =>
  route.fulfill({ status: 409, json: { error: { code, message } } });
const isCut = (route: Route) => route.abort();

/** Logs in after a session has ended; the login leads back to the form. */
async function signInAgain(page: Page, { email, password }: { email: string; password: string }) {
  await expect(page).toHaveURL('/login');
  await page.getByLabel('Email o username').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Accedi' }).click();
}

test('every failure of the clerk shows the text of the specification', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 401/);
  problems.expect(/status of 409/);
  problems.expect(/status of 500/);
  problems.expect(/ERR_FAILED/);
  const customer = await app.make.user({ fullName: 'Nives Corsi' });
  const project = await app.make.project(customer, { name: 'Galleria di Gorizia' });
  const { invoiceNumber: number } = await app.make.invoice(customer, project);
  const clerk = await app.make.invoiceAdmin();
  const desk = await openAs(clerk);
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('searchbox', { name: 'Cerca' }).fill(number);
  await expect(desk.getByText('1 fattura', { exact: true })).toBeVisible();
  const onInvoice = async (item: string) => {
    await desk.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: item }).click();
  };
  const says = (text: string) =>
    expect(desk.getByRole('alert').filter({ hasText: text }).first()).toBeVisible();

  await answerOnce(desk, 'admin/invoices/status', fails);
  await onInvoice('Segna come Pagata');
  await says("Errore durante l'aggiornamento dello stato");
  await answerOnce(desk, 'admin/invoices/status', isCut);
  await onInvoice('Segna come Pagata');
  await says('Errore imprevisto');

  await onInvoice('Elimina');
  const confirm = desk.getByRole('dialog', { name: /^Elimina/ });
  await answerOnce(desk, `admin/invoices/${number}?*`, fails);
  // The error is shown before the list is read again.
  const { promise: told, resolve: isTold } = Promise.withResolvers<void>();
  await desk.route('**/api/admin/invoices?*', (route) => told.then(() => route.fallback()));
  await confirm.getByRole('button', { name: 'Elimina' }).click();
  await says("Errore durante l'eliminazione della fattura");
  isTold();
  await confirm.getByRole('button', { name: 'Annulla' }).click();

  // A failed search does not say "nothing found"; opening the list again repeats it.
  await desk.route('**/api/admin/customers?*', fails);
  await desk.getByRole('button', { name: 'Crea Nuova Fattura' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Crea Nuova Fattura' });
  const user = dialog.getByRole('combobox', { name: 'Utente' });
  await user.fill('nives');
  const failed = dialog
    .getByRole('status')
    .filter({ hasText: 'Si è verificato un errore imprevisto. Riprova più tardi.' });
  await expect(failed).toBeVisible();
  await user.fill('');
  await expect(failed).toBeVisible();
  await expect(desk.getByText('Nessun utente trovato')).toHaveCount(0);
  await desk.unroute('**/api/admin/customers?*');
  await dialog.getByRole('textbox', { name: 'Importo' }).focus();
  await expect(failed).toBeHidden();
  await user.click();
  await expect(desk.getByRole('option').first()).toBeVisible();
  await choose(desk, 'Utente', 'nives', /Nives Corsi/);
  await choose(desk, 'Progetto', '', 'Galleria di Gorizia');
  await dialog.getByRole('textbox', { name: 'Importo' }).fill('10');
  const create = () => dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await answerOnce(
    desk,
    'admin/invoices',
    refuses('invoice_number_taken', 'Numero fattura già esistente. Riprova.'),
  );
  await create();
  await says('Numero fattura già esistente. Riprova.');
  await answerOnce(desk, 'admin/invoices', fails);
  await create();
  await says('Errore durante la creazione della fattura: ');
  await answerOnce(desk, 'admin/invoices', isCut);
  await create();
  await says('Errore imprevisto durante la creazione della fattura: ');
  await desk.context().clearCookies();
  await create();
  await signInAgain(desk, clerk);
  await expect(dialog.getByRole('combobox', { name: 'Utente' })).toHaveValue('Nives Corsi');
  await expect(dialog.getByRole('combobox', { name: 'Progetto' })).toHaveValue('Galleria di Gorizia');
  await dialog.getByRole('button', { name: 'Annulla' }).click();

  await desk.getByRole('button', { name: `Carica PDF della fattura ${number}` }).click();
  const uploading = desk.getByRole('dialog', { name: 'Carica PDF' });
  await uploading.locator('input[type="file"]').setInputFiles(pdf('a.pdf', pdfOf(200)));
  const upload = () => uploading.getByRole('button', { name: 'Carica PDF' }).click();
  await answerOnce(desk, `admin/invoices/${number}/file?*`, isCut);
  await upload();
  await says('Errore durante il caricamento del file');
  await upload();
  await expect(desk.getByText('File caricato con successo!')).toBeVisible();

  const onFile = async (item: string) => {
    await desk.getByRole('button', { name: `Azioni sul PDF della fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: item }).click();
  };
  await desk.route('**/file?*', fails);
  await onFile('Scarica PDF');
  await says('Errore durante il download del file');
  await desk.unroute('**/file?*');
  await desk.context().clearCookies();
  await onFile('Scarica PDF');
  await signInAgain(desk, clerk);
  await onFile('Elimina PDF');
  await answerOnce(desk, `admin/invoices/${number}/file?*`, isCut);
  // The list is read again after the failure. It must still find the invoice.
  const readAgain = desk.waitForResponse('**/api/admin/invoices?*');
  await confirm.getByRole('button', { name: 'Elimina' }).click();
  await says("Errore durante l'eliminazione del file");
  await readAgain;
  await confirm.getByRole('button', { name: 'Annulla' }).click();

  problems.expect(/status of 404/);
  const withoutFile = 'update invoices set file_name = null, file_url = null where invoice_number = $1';
  await app.make.sql(withoutFile, [number]);
  await onFile('Scarica PDF');
  await says('Nessun file disponibile');
  await expect(desk.getByRole('button', { name: `Carica PDF della fattura ${number}` })).toBeVisible();

  // A new page does not know of the deletion tried above, which would explain that the invoice is gone.
  await desk.reload();
  await expect(desk.getByText('1 fattura', { exact: true })).toBeVisible();
  await app.make.sql('delete from invoices where invoice_number = $1', [number]);
  await onInvoice('Elimina');
  await confirm.getByRole('button', { name: 'Elimina' }).click();
  await says('Errore nel recupero delle informazioni della fattura');
});

test('a PDF that a colleague uploaded meanwhile is replaced or deleted only after it was shown', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const { invoiceNumber: number } = await app.make.invoice(customer, project);
  const clerk = await app.make.invoiceAdmin();
  const [elsewhere, desk] = [await openAs(clerk), await openAs(clerk)];
  const meanwhile = async (name: string) => {
    const multipart = { file: pdf(name, pdfOf(200)) };
    const stored = await elsewhere.request.put(`/api/admin/invoices/${number}/file`, { multipart });
    expect(stored.ok()).toBe(true);
  };
  const onFile = async (item: string) => {
    await desk.getByRole('button', { name: `Azioni sul PDF della fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: item }).click();
  };
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('button', { name: `Carica PDF della fattura ${number}` }).click();
  await desk.locator('input[type="file"]').setInputFiles(pdf('mia.pdf', pdfOf(200)));
  await meanwhile('collega.pdf');
  await desk.getByRole('dialog').getByRole('button', { name: 'Carica PDF' }).click();
  const replacing = desk.getByRole('dialog', { name: 'Sostituisci PDF' });
  await expect(replacing.getByRole('alert')).toHaveText(
    'Nel frattempo il PDF di questa fattura è cambiato: ora è «collega.pdf». Controllalo prima di confermare di nuovo.',
  );
  await expect(replacing.getByText('Il nuovo file prende il posto di collega.pdf.')).toBeVisible();
  await expect(replacing.getByText('mia.pdf')).toBeVisible();
  await expectAccessible(desk);
  await replacing.getByRole('button', { name: 'Sostituisci PDF' }).click();
  await expect(replacing).toBeHidden();

  await onFile('Elimina PDF');
  const deleting = desk.getByRole('dialog', { name: 'Elimina PDF' });
  await expect(deleting.getByText('Il file mia.pdf della fattura')).toBeVisible();
  await meanwhile('altra.pdf');
  await deleting.getByRole('button', { name: 'Elimina' }).click();
  await expect(deleting.getByRole('alert')).toContainText('ora è «altra.pdf»');
  await expect(deleting.getByText('Il file altra.pdf della fattura')).toBeVisible();
  await expectAccessible(desk);
  await deleting.getByRole('button', { name: 'Annulla' }).click();
  await expect(desk.getByRole('button', { name: 'Anteprima di altra.pdf' })).toBeVisible();

  // Whoever has seen the file can delete it, even when the response of the first attempt is lost.
  await onFile('Elimina PDF');
  problems.expect(/ERR_FAILED/);
  problems.expect(/status of 404/);
  const losesAnswer = () =>
    answerOnce(desk, `admin/invoices/${number}/file?*`, async (route) => {
      await route.fetch();
      await route.abort();
    });
  await losesAnswer();
  await deleting.getByRole('button', { name: 'Elimina' }).click();
  await expect(deleting.getByRole('alert')).toHaveText("Errore durante l'eliminazione del file");
  await deleting.getByRole('button', { name: 'Elimina' }).click();
  await expect(desk.getByText('File eliminato con successo!')).toBeVisible();

  // In the same way, whoever has uploaded a file can repeat it.
  await desk.getByRole('button', { name: `Carica PDF della fattura ${number}` }).click();
  const uploading = desk.getByRole('dialog', { name: 'Carica PDF' });
  await uploading.locator('input[type="file"]').setInputFiles(pdf('ancora.pdf', pdfOf(200)));
  await losesAnswer();
  await uploading.getByRole('button', { name: 'Carica PDF' }).click();
  await expect(uploading.getByRole('alert')).toHaveText('Errore durante il caricamento del file');
  await uploading.getByRole('button', { name: 'Carica PDF' }).click();
  await expect(desk.getByText('File caricato con successo!')).toBeVisible();
});

test('an invoice that was changed meanwhile is deleted only after the change was shown', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 409/);
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const [own, other] = [
    await app.make.invoice(customer, project, { euro: 100 }),
    await app.make.invoice(customer, project, { euro: 300 }),
  ];
  const clerk = await app.make.invoiceAdmin();
  const elsewhere = await openAs(clerk);
  const markPaid = async ({ invoiceNumber }: typeof own) => {
    const data = { numbers: [invoiceNumber], status: 'Pagata' };
    expect((await elsewhere.request.put('/api/admin/invoices/status', { data })).ok()).toBe(true);
  };
  const upload = async ({ invoiceNumber }: typeof own) => {
    const multipart = { file: pdf('FatturaDelCollega1795334400000KYVXBWNK.pdf', pdfOf(200)) };
    const stored = await elsewhere.request.put(`/api/admin/invoices/${invoiceNumber}/file`, { multipart });
    expect(stored.ok()).toBe(true);
  };

  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture?vista=fatture');
  await page.getByRole('button', { name: `Elimina la fattura ${own.invoiceNumber}` }).click();
  const confirm = page.getByRole('dialog', { name: 'Elimina Fattura' });
  await upload(own);
  await confirm.getByRole('button', { name: 'Elimina' }).click();
  await expect(confirm.getByRole('alert')).toHaveText(
    'Nel frattempo questa fattura è cambiata: ora è di € 100,00, Da Pagare, con il PDF «FatturaDelCollega1795334400000KYVXBWNK.pdf». Controllala prima di confermare di nuovo.',
  );
  await expect(confirm).toContainText('in modo irreversibile, con il suo PDF.');
  const notice = confirm.getByRole('alert');
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await notice.evaluate((box) => box.scrollWidth - box.clientWidth), 'its words fit').toBe(0);
  await expectAccessible(page);
  await confirm.getByRole('button', { name: 'Elimina' }).click();
  await expect(page.getByText('Fattura eliminata con successo!')).toBeVisible();

  const desk = await openAs(clerk);
  await desk.goto(`/app/admin/invoices?cerca=${other.invoiceNumber}`);
  await desk.getByRole('button', { name: `Azioni sulla fattura ${other.invoiceNumber}` }).click();
  await desk.getByRole('menuitem', { name: 'Elimina' }).click();
  const deleting = desk.getByRole('dialog', { name: 'Elimina Fattura' });
  await markPaid(other);
  await deleting.getByRole('button', { name: 'Elimina' }).click();
  await expect(deleting.getByRole('alert')).toContainText('ora è di € 300,00, Pagata, senza PDF.');
  await deleting.getByRole('button', { name: 'Elimina' }).click();
  await expect(desk.getByText('Fattura eliminata con successo.')).toBeVisible();
});

test('a PDF changed after it was chosen has to be chosen again, and the form says so', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user({ fullName: 'Tullio Greppi' });
  const project = await app.make.project(customer, { name: 'Galleria di Gorizia' });
  const { invoiceNumber: number } = await app.make.invoice(customer, project);
  const desk = await openAs(await app.make.invoiceAdmin());
  const path = test.info().outputPath('fattura.pdf');
  const unreadable = 'Non è stato possibile leggere il file: sceglilo di nuovo.';

  await desk.goto('/app/admin/invoices');
  await desk.getByRole('button', { name: `Carica PDF della fattura ${number}` }).click();
  const uploading = desk.getByRole('dialog', { name: 'Carica PDF' });
  await writeFile(path, pdfOf(200));
  await uploading.locator('input[type="file"]').setInputFiles(path);
  await expect(uploading.getByText('fattura.pdf')).toBeVisible();
  await writeFile(path, pdfOf(300));
  await uploading.getByRole('button', { name: 'Carica PDF' }).click();
  await expect(uploading.getByText(unreadable)).toBeVisible();
  await expect(uploading.getByRole('button', { name: 'Scegli un PDF' })).toBeFocused();
  const chooser = desk.waitForEvent('filechooser');
  await uploading.getByRole('button', { name: 'Scegli un PDF' }).click();
  await (await chooser).setFiles(path);
  await expect(uploading.getByText('fattura.pdf')).toBeVisible();
  await uploading.getByRole('button', { name: 'Carica PDF' }).click();
  await expect(desk.getByText('File caricato con successo!')).toBeVisible();

  await desk.getByRole('button', { name: 'Crea Nuova Fattura' }).click();
  const creating = desk.getByRole('dialog', { name: 'Crea Nuova Fattura' });
  await choose(desk, 'Utente', 'tullio', /Tullio Greppi/);
  await choose(desk, 'Progetto', '', 'Galleria di Gorizia');
  await creating.getByRole('textbox', { name: 'Importo' }).fill('10');
  await creating.locator('input[type="file"]').setInputFiles(path);
  await expect(creating.getByText('fattura.pdf')).toBeVisible();
  await rm(path);
  await creating.getByRole('button', { name: 'Crea Fattura' }).click();
  await expect(creating.getByText(unreadable)).toBeVisible();
});

test('a pressed button keeps the focus and sends its request once', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 500/);
  problems.expect(/status of 404/);
  const customer = await app.make.user();
  const { invoiceNumber: number } = await app.make.invoice(customer, await app.make.project(customer));
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('searchbox', { name: 'Cerca' }).fill(number);
  await expect(desk.getByText('1 fattura', { exact: true })).toBeVisible();
  const act = async (item: string) => {
    await desk.getByRole('button', { name: `Azioni sulla fattura ${number}` }).press('Enter');
    await desk.getByRole('menuitem', { name: item }).press('Enter');
  };
  const dialog = desk.getByRole('dialog');
  let asked = 0;
  const { promise: pressed, resolve: isPressed } = Promise.withResolvers<void>();
  await desk.route(`**/api/admin/invoices/${number}{,?*}`, async (route) => {
    asked += 1;
    await pressed;
    await fails(route);
  });

  await act('Elimina');
  await dialog.getByRole('button', { name: 'Elimina', exact: true }).press('Enter');
  const removing = dialog.getByRole('button', { name: 'Eliminando...' });
  await expect(removing).toBeDisabled();
  await removing.press('Enter');
  await removing.press('Space');
  isPressed();
  await expect(dialog.getByRole('alert')).toBeVisible();
  expect(asked).toBe(1);
  await expect(dialog.getByRole('button', { name: 'Elimina', exact: true })).toBeFocused();
  await desk.keyboard.press('Tab');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await desk.keyboard.press('Escape');

  await act('Modifica');
  const amount = dialog.getByRole('textbox', { name: 'Importo' });
  await amount.fill('81');
  await amount.press('Enter');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(amount).toBeFocused();

  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture');
  const save = page.getByRole('button', { name: `Scarica il PDF della fattura ${number}` });
  await save.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(save).toBeFocused();
});

test('every failure of an administrator shows the text of the specification', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  for (const problem of [/status of 409/, /status of 500/, /status of 401/]) problems.expect(problem);
  const admin = await app.make.user({ role: 'admin' });
  const project = await app.make.project(admin, { name: 'Sede di Milano' });
  const { invoiceNumber: number } = await app.make.invoice(admin, project);
  const { invoiceNumber: gone } = await app.make.invoice(admin, project);
  const page = await openAs(admin);
  await page.goto('/app/pagamenti-fatture?vista=fatture');
  const says = (text: string) => expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible();

  problems.expect(/status of 404/);
  const save = () => page.getByRole('button', { name: `Scarica il PDF della fattura ${number}` }).click();
  await save();
  await says('Nessun file disponibile');
  // A file stored after the list was read can be downloaded.
  const office = await openAs(await app.make.invoiceAdmin());
  const stored = await office.request.put(`${app.origin}/api/admin/invoices/${number}/file`, {
    headers: { Origin: app.origin },
    multipart: { file: pdf('sede.pdf', pdfOf(300)) },
  });
  expect(stored.status()).toBe(200);
  await page.bringToFront();
  const saved = page.waitForEvent('download');
  await save();
  expect((await bytesOf(await saved)).length).toBe(300);
  // An invoice deleted after the list was read leaves it. Deleted on the press: the list may still be read once more before.
  await page.route(`**/api/invoices/${gone}/file**`, async (route) => {
    await app.make.sql('delete from invoices where invoice_number = $1', [gone]);
    await route.fallback();
  });
  await page.getByRole('button', { name: `Scarica il PDF della fattura ${gone}` }).click();
  await says('Errore durante il download del file');
  await expect(entry(page, gone)).toHaveCount(0);
  await page.getByRole('button', { name: `Elimina la fattura ${number}` }).click();
  const confirm = page.getByRole('dialog', { name: /^Elimina/ });
  const remove = () => confirm.getByRole('button', { name: 'Elimina' }).click();
  await answerOnce(page, `invoices/${number}?*`, fails);
  await remove();
  await says("Errore durante l'eliminazione della fattura");
  await answerOnce(
    page,
    `invoices/${number}?*`,
    refuses('sample_record', 'I dati di esempio non possono essere modificati.'),
  );
  await remove();
  await says("Errore nell'eliminazione della fattura: I dati di esempio non possono essere modificati.");
  await confirm.getByRole('button', { name: 'Annulla' }).click();

  await page.getByRole('button', { name: 'Nuova Fattura' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nuova Fattura' });
  await choose(page, 'Progetto', 'sede', 'Sede di Milano');
  await dialog.getByRole('textbox', { name: 'Importo' }).fill('75,5');
  const create = () => dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await answerOnce(page, 'invoices', fails);
  await create();
  await says('Errore durante la creazione della fattura');
  await answerOnce(page, 'invoices', (route) => route.fulfill({ status: 201, json: {} }));
  await create();
  await says('Nessun dato ritornato dalla creazione della fattura');
  await answerOnce(page, 'invoices', refuses('invoice_references', 'Controlla utente e progetto.'));
  await create();
  await says('Errore nella creazione della fattura: Controlla utente e progetto.');

  // The session ends: after the login the form is back, with its file.
  await dialog.locator('input[type="file"]').setInputFiles(pdf('sede.pdf', pdfOf(300)));
  await page.context().clearCookies();
  await create();
  await says('Devi essere autenticato per creare una fattura');
  await signInAgain(page, admin);
  await expect(dialog.getByRole('textbox', { name: 'Importo' })).toHaveValue('75,50');
  await expect(dialog.getByRole('combobox', { name: 'Progetto' })).toHaveValue('Sede di Milano');
  await expect(dialog.getByText('sede.pdf')).toBeVisible();
  await create();
  await expect(page.getByText('Fattura creata con successo!')).toBeVisible();
  // The dialog closes after the list is read again: from here only the deletion meets the ended session.
  await expect(dialog).toHaveCount(0);

  await page.context().clearCookies();
  await page.getByRole('tab', { name: 'Fatture' }).click();
  await page.getByRole('button', { name: `Elimina la fattura ${number}` }).click();
  await remove();
  await expect(page).toHaveURL('/login');
  await says('Devi essere autenticato per eliminare una fattura');
});
