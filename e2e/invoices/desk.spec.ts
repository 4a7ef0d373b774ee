import { writeFile } from 'node:fs/promises';
import { addDays, formatDate, todayInRome } from '#contract/dates.ts';
import { ERASED_DOMAIN } from '#contract/erasures.ts';
import { pdfOf, readablePdf } from '#server/testing/pdf.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { answerOnce } from '../support/answer-once.ts';
import { LONGEST } from '../support/extremes.ts';
import { answerWithFailure, bytesOf, chooseOption, entryOf, pdfUpload } from '../support/invoices.ts';
import { expectToFit } from '../support/layout.ts';
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
    const days = open.getByRole('button', { name: /^\p{L}+ \d+ \p{L}+ \d{4}$/u, disabled: false });
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
  await expect(dialog.getByText(/^Non è stato possibile leggere il file/)).toBeVisible();
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
