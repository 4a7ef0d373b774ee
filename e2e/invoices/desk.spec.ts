import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { ERASED_DOMAIN } from '#contract/erasures.ts';
import { addDays, formatDate, todayInRome } from '#contract/dates.ts';
import { pdfOf, readablePdf } from '#server/testing/pdf.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { listenToStatus } from '../support/announcements.ts';
import { answerOnce } from '../support/answer-once.ts';
import { LONGEST } from '../support/extremes.ts';
import { answerWithFailure, bytesOf, chooseOption, entryOf, pdfUpload } from '../support/invoices.ts';
import { expectToFit, expectWholePlaceholder } from '../support/layout.ts';
import { expect, test } from '../support/test.ts';

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
  await chooseOption(desk, 'Utente', 'neri', /Ugo Neri/);
  await chooseOption(desk, 'Progetto', '', 'Di qualcun altro');
  await chooseOption(desk, 'Utente', 'ponteggi', /Rosa Bruni/);
  await expect(project).toHaveValue('');
  await project.fill('Di qualcun altro');
  await expect(
    desk.getByRole('status').filter({ hasText: 'Nessun progetto trovato per questo utente' }),
  ).toBeVisible();
  await chooseOption(desk, 'Progetto', '', 'Ponte sul Sesia');
  // A rejected amount stays as typed; it is not rounded to a valid one.
  const amount = dialog.getByRole('textbox', { name: 'Importo' });
  await amount.fill('1250,505');
  await dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await expect(dialog.getByText('Al massimo due decimali')).toBeVisible();
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
  // A screen reader finds one way to choose it.
  await expect(dialog.getByRole('button', { name: /PDF/ })).toHaveCount(1);
  const file = dialog.locator('input[type="file"]');
  await file.setInputFiles(pdfUpload('lettera.pdf', new TextEncoder().encode('Gentile cliente')));
  await expect(dialog.getByText('Solo file PDF sono permessi')).toBeVisible();
  await file.setInputFiles(pdfUpload('vuoto.pdf', new Uint8Array(0)));
  await expect(dialog.getByText('Il file è vuoto')).toBeVisible();
  // From a file on disk: passing so many bytes to the browser takes seconds.
  const large = test.info().outputPath('grande.pdf');
  await writeFile(large, pdfOf(10_485_761));
  await file.setInputFiles(large);
  await expect(dialog.getByText('Il file non può essere più grande di 10MB')).toBeVisible();
  // Choosing a file replaces the focused button, and removing it brings that back.
  await dialog.getByRole('button', { name: 'Scegli un PDF' }).focus();
  await file.setInputFiles(pdfUpload('fattura novembre.pdf', content));
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
  await file.setInputFiles(pdfUpload('fattura novembre.pdf', content));
  await expect(dialog.getByText('Non è stato possibile leggere il file: sceglilo di nuovo.')).toBeVisible();
  await file.setInputFiles(pdfUpload('fattura novembre.pdf', content));
  await expect(takeOff).toBeVisible();
  // No toast covers the focused field.
  const first = dialog.getByRole('combobox', { name: 'Utente' });
  await first.focus();
  const isOnTop = (field: HTMLElement) => {
    const { left, top, width, height } = field.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) === field;
  };
  expect(await first.evaluate(isOnTop)).toBe(true);
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
  const row = entryOf(page, 'Ponte sul Sesia');
  await expect(row).toContainText(issued);
  await expectAccessible(page);
  await expectToFit(page);
  const number = ((await row.textContent()) ?? '').match(/FAT\d{13}[A-Z0-9]{8}/)?.[0] ?? '';
  expect(number).not.toBe('');
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
  const project = await app.make.project(customer, { name: 'Conca di Isola Serafini' });
  const invoice = await app.make.invoice(customer, project, { euro: 480 });
  await app.make.invoice(customer, project, { euro: 20.5 });
  const { invoiceNumber: number } = invoice;
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.goto('/app/admin/invoices');
  const create = desk.getByRole('button', { name: 'Crea Nuova Fattura' });
  await create.click();
  // Until the first field has the focus, the dialog may still give it that.
  await expect(desk.getByRole('dialog').getByRole('combobox', { name: 'Utente' })).toBeFocused();
  await desk.getByRole('dialog').getByRole('button', { name: 'Annulla' }).press('Enter');
  await expect(create).toBeFocused();
  await desk.getByRole('searchbox', { name: 'Cerca' }).fill('serafini');
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
  await expect(edit.getByRole('combobox', { name: 'Progetto' })).toBeFocused();
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
  await uploading
    .locator('input[type="file"]')
    .setInputFiles(pdfUpload('diga.pdf', await readablePdf('Diga')));
  await expect(uploading.getByText('diga.pdf')).toBeVisible();
  await uploading.getByRole('button', { name: 'Carica PDF' }).click();
  await expect(desk.getByText('File caricato con successo!')).toBeVisible();
  const { promise: sent, resolve: send } = Promise.withResolvers<void>();
  await desk.route(`**/api/admin/invoices/*/file*`, (route) => sent.then(() => route.fallback()));
  await desk.getByRole('button', { name: `Anteprima di diga.pdf, PDF della fattura ${number}` }).click();
  const preview = desk.getByRole('dialog', { name: 'diga.pdf' });
  await expect(preview.getByRole('status')).toHaveText('Caricamento del PDF…');
  send();
  await expect(preview.getByRole('status')).toBeEmpty();
  await expect(
    preview.locator('iframe[src^="blob:"]').or(preview.getByText(/non mostra i PDF/)),
  ).toBeVisible();
  const fromPreview = desk.waitForEvent('download');
  await preview.getByRole('button', { name: 'Scarica PDF' }).click();
  expect((await fromPreview).suggestedFilename()).toBe('diga.pdf');
  await expect(desk.getByText('File scaricato con successo!')).toBeVisible();
  await desk.getByRole('button', { name: 'Chiudi notifica' }).click();
  await preview.getByRole('button', { name: 'Chiudi' }).click();

  const onFile = async (item: string) => {
    await desk.getByRole('button', { name: `Azioni sul PDF della fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: item }).click();
  };
  const saved = desk.waitForEvent('download');
  const { promise: pressed, resolve: isPressed } = Promise.withResolvers<void>();
  await desk.route('**/file?*', (route) => pressed.then(() => route.fallback()));
  await onFile('Scarica PDF');
  await expect(desk.getByRole('button', { name: `Azioni sul PDF della fattura ${number}` })).toBeDisabled();
  isPressed();
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
  // Where it does not fit, the keys scroll it.
  await history.getByRole('button', { name: 'Chiudi' }).press('Tab');
  await expect(history.getByRole('region', { name: 'Operazioni registrate' })).toBeFocused();
  await history.getByRole('button', { name: 'Chiudi' }).click();

  await desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' }).check();
  await desk.getByRole('button', { name: 'Segna come Pagate' }).click();
  await expect(desk.getByText('2 fatture segnate come Pagate')).toBeVisible();
  await expect(desk.getByRole('button', { name: 'Annulla la modifica' })).toBeFocused();
  await expect(desk.getByText('Pagate', { exact: true }).locator('..')).toContainText('€ 520,51');
  await expectAccessible(desk);
  // The same in the other direction, until something else is selected.
  await desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' }).check();
  await expect(desk.getByRole('button', { name: 'Annulla la modifica' })).toHaveCount(0);
  await expect(desk.getByRole('button', { name: 'Segna come Pagate' })).toHaveCount(0);
  // The focus stays where it was moved in the meantime.
  const marking = Promise.withResolvers<void>();
  await answerOnce(desk, 'admin/invoices/status', (route) => marking.promise.then(() => route.fallback()));
  await desk.getByRole('button', { name: 'Segna come Da Pagare' }).click();
  await desk.getByRole('searchbox', { name: 'Cerca' }).focus();
  marking.resolve();
  await expect(desk.getByText('2 fatture segnate come Da Pagare')).toBeVisible();
  await expect(desk.getByRole('button', { name: 'Annulla la modifica' })).toBeVisible();
  await expect(desk.getByRole('searchbox', { name: 'Cerca' })).toBeFocused();
  await desk.getByRole('checkbox', { name: `Seleziona ${number}` }).check();
  await expect(desk.getByText('1 fattura selezionata')).toBeVisible();
  await desk.getByRole('button', { name: 'Annulla la selezione' }).click();
  await expect(desk.getByRole('checkbox', { name: 'Seleziona tutte le righe' })).toBeFocused();
  await expect(desk.getByRole('button', { name: 'Annulla la modifica' })).toHaveCount(0);

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

test('an invoice is the beginning of the next one, and leads to its customer', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user({ fullName: LONGEST.person, email: `${LONGEST.email}.org` });
  const project = await app.make.project(customer, { name: 'Diga di Place Moulin' });
  const detail = { euro: 480, description: 'Vitto e alloggio' };
  const { invoiceNumber: number } = await app.make.invoice(customer, project, detail);
  const closed = await app.make.project(customer);
  const { invoiceNumber: apart } = await app.make.invoice(customer, closed, { euro: 20 });
  await app.make.sql('delete from projects where id = $1', [closed.id]);
  const erased = await app.make.user({
    fullName: 'Account eliminato',
    email: `eliminato-moulin@${ERASED_DOMAIN}`,
  });
  const { invoiceNumber: left } = await app.make.invoice(erased, await app.make.project(erased));
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto('/app/admin/invoices?cerca=moulin&stato=Da+Pagare');
  const open = (of: string) => desk.getByRole('button', { name: `Azioni sulla fattura ${of}` }).click();
  const act = async (of: string, item: string) => {
    await open(of);
    await desk.getByRole('menuitem', { name: item }).click();
  };
  const dialog = desk.getByRole('dialog', { name: 'Crea Nuova Fattura' });
  const chosen = dialog.getByRole('combobox', { name: 'Progetto' });
  await act(number, 'Duplica');
  await expect(dialog.getByRole('combobox', { name: 'Utente' })).toHaveValue(LONGEST.person);
  await expect(chosen).toHaveValue('Diga di Place Moulin');
  await expect(dialog.getByLabel('Descrizione')).toHaveValue('Vitto e alloggio');
  await expect(dialog.getByRole('textbox', { name: 'Data Emissione' })).toHaveValue(
    formatDate(todayInRome()),
  );
  await expect(dialog.getByRole('textbox', { name: 'Scadenza' })).toHaveValue('');
  await dialog.getByRole('textbox', { name: 'Importo' }).fill('500');
  await dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await expect(desk.getByText('Fattura creata con successo!')).toBeVisible();
  await expect(desk.getByText('3 fatture', { exact: true })).toBeVisible();
  await expect(desk.locator('button:focus')).toHaveAccessibleName(`Azioni sulla fattura ${number}`);
  const { rows } = await app.make.sql(
    'select spent_to_date - opening_spent as spent from projects where id = $1',
    [project.id],
  );
  expect(rows).toEqual([{ spent: '980.00' }]);

  await open(number);
  const mail = desk.getByRole('menuitem', { name: `Scrivi a ${customer.email}` });
  await expect(mail).toHaveAttribute('href', `mailto:${customer.email}?subject=Fattura%20${number}`);
  await expectAccessible(desk);
  for (const [width, role] of [
    [1440, 'table'],
    [360, 'list'],
  ] as const) {
    // Closed before: a table that makes way for cards takes its menu with it.
    await desk.keyboard.press('Escape');
    await expect(mail).toHaveCount(0);
    await desk.setViewportSize({ width, height: 740 });
    await expect(desk.getByRole(role, { name: 'Fatture nel sistema' })).toBeVisible();
    await open(number);
    await mail.scrollIntoViewIfNeeded();
    await expectToFit(desk);
  }
  await desk.getByRole('menuitem', { name: `Fatture di ${LONGEST.person}` }).click();
  await expect(desk).toHaveURL(`/app/admin/invoices?cliente=${customer.id}`);
  await expect(desk.getByText('3 fatture', { exact: true })).toBeVisible();
  await desk.setViewportSize({ width: 1440, height: 900 });
  await expect(desk.getByRole('combobox', { name: 'Utente' })).toHaveValue(LONGEST.person);
  await expect(desk.getByRole('searchbox', { name: 'Cerca' })).toHaveValue('');
  // The way back leads to the filters from before.
  await desk.goBack();
  await expect(desk.getByRole('searchbox', { name: 'Cerca' })).toHaveValue('moulin');
  await open(left);
  await expect(desk.getByRole('menuitem', { name: 'Fatture di Account eliminato' })).toBeVisible();
  await expect(desk.getByRole('menuitem', { name: /^Scrivi a/ })).toHaveCount(0);
  await desk.keyboard.press('Escape');
  await desk.goForward();
  // The project of one of them is deleted, and another has to be chosen.
  await act(apart, 'Duplica');
  await expect(chosen).toHaveValue('');
  await dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await expect(dialog.getByText('Seleziona un progetto', { exact: true })).toBeVisible();
  // The back button leads back in the very frame in which a dialog disappears.
  await desk.evaluate(() =>
    new MutationObserver((_, observer) => {
      if (document.querySelector('[role=dialog]')) return;
      observer.disconnect();
      history.back();
    }).observe(document.body, { childList: true, subtree: true }),
  );
  await dialog.getByRole('button', { name: 'Annulla' }).click();
  await expect(desk.getByRole('searchbox', { name: 'Cerca' })).toHaveValue('moulin');
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
  const chooseAndPress = async (status: string, button: string) => {
    await desk.getByRole('combobox', { name: 'Stato' }).click();
    const pressed = await desk.getByRole('button', { name: button }).elementHandle();
    await desk
      .getByRole('option', { name: status, exact: true })
      .evaluate((option: HTMLElement, following) => {
        option.click();
        // A key press commits the choice at once.
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true }));
        (following as HTMLElement).click();
      }, pressed);
  };
  await chooseAndPress('Da Pagare', 'Importo');
  await expect(desk).toHaveURL('/app/admin/invoices?stato=Da+Pagare&ordine=importo&verso=crescente');
  await expect(desk.getByRole('combobox', { name: 'Stato' })).toHaveValue('Da Pagare');
  await chooseAndPress('Pagata', 'Crea Nuova Fattura');
  await expect(desk.getByRole('dialog', { name: 'Crea Nuova Fattura' })).toBeVisible();
  await expect(desk).toHaveURL('/app/admin/invoices?stato=Pagata&ordine=importo&verso=crescente&nuova=1');
});

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

test('a PDF that is named after its invoice is offered with the number said once', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const invoiceNumber = `FAT${Date.now()}DETTAUNA`;
  await app.make.invoice(customer, project, {
    invoiceNumber,
    fileName: `Fattura ${invoiceNumber}.pdf`,
    fileUrl: `${customer.id}/una.pdf`,
  });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto(`/app/admin/invoices?cerca=${invoiceNumber}`);
  const preview = desk.getByRole('button', {
    name: `Anteprima di Fattura ${invoiceNumber}.pdf`,
    exact: true,
  });
  await expect(preview).toBeVisible();
  await expect(preview).toHaveAccessibleDescription('');
});

test('on a phone the search says all that it looks in, and a long file name wraps no words beside it', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const { invoiceNumber } = await app.make.invoice(customer, project, {
    fileName: `Fattura ${LONGEST.project}.pdf`,
    fileUrl: `${customer.id}/lungo.pdf`,
  });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 345, height: 740 });
  await desk.goto('/app/admin/invoices');
  await expectWholePlaceholder(desk.getByRole('searchbox', { name: 'Cerca' }));
  await desk.goto(`/app/admin/invoices?cerca=${invoiceNumber}`);
  const term = desk.getByRole('term').filter({ hasText: 'File PDF' });
  await expect(term).toBeVisible();
  const lines = await term.evaluate((words) => {
    const written = document.createRange();
    written.selectNodeContents(words);
    return new Set([...written.getClientRects()].map(({ top }) => top)).size;
  });
  expect(lines, 'lines of the words beside the name').toBe(1);
});

test('on a phone a short file name is beside its icon, level with the words before it', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const { invoiceNumber } = await app.make.invoice(customer, project, {
    fileName: 'nuova.pdf',
    fileUrl: `${customer.id}/corto.pdf`,
  });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.setViewportSize({ width: 375, height: 740 });
  await desk.goto(`/app/admin/invoices?cerca=${invoiceNumber}`);
  const preview = desk.getByRole('button', { name: 'Anteprima di nuova.pdf' });
  await expect(preview).toBeVisible();
  /** Of the words in `element`, without the box around them. */
  const placeOf = (element: Element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
      node.textContent?.includes('.pdf') || node.textContent === 'File PDF'
        ? NodeFilter.FILTER_ACCEPT
        : NodeFilter.FILTER_SKIP,
    );
    const written = document.createRange();
    written.selectNodeContents(walker.nextNode() ?? element);
    const { left, bottom } = written.getBoundingClientRect();
    return { left, bottom };
  };
  const words = desk.getByRole('term').filter({ hasText: 'File PDF' });
  const gaps = async () => {
    const [name, before] = await Promise.all([preview, words].map((one) => one.evaluate(placeOf)));
    const icon = await preview.locator('svg').boundingBox();
    if (!name || !before || !icon) return null;
    return { beside: name.left - (icon.x + icon.width), apart: Math.abs(name.bottom - before.bottom) };
  };
  await expect.poll(async () => (await gaps())?.beside, 'between icon and name').toBeLessThan(12);
  await expect.poll(async () => (await gaps())?.apart, 'between the lines').toBeLessThan(2);
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
    await answerWithFailure(route);
  });

  await act('Elimina');
  // Until then the dialog may still give it the focus.
  await expect(dialog.getByRole('button', { name: 'Annulla' })).toBeFocused();
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
  await expect(dialog).toHaveCount(0);

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
