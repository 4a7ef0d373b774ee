import type { Page, Route } from '@playwright/test';
import { pdfOf } from '#server/testing/pdf.ts';
import { answerOnce } from '../support/answer-once.ts';
import { answerWithFailure, bytesOf, chooseOption, entryOf, pdfUpload } from '../support/invoices.ts';
import { submitLogin } from '../support/login.ts';
import { watchReads } from '../support/reads.ts';
import { expect, test } from '../support/test.ts';

const refuses = (code: string, message: string) => (route: Route) =>
  route.fulfill({ status: 409, json: { error: { code, message } } });

const isCut = (route: Route) => route.abort();

/** Logs in after a session has ended; the login leads back to the form. */
async function signInAgain(page: Page, user: { email: string; password: string }) {
  await expect(page).toHaveURL('/login');
  await submitLogin(page, user);
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
  const project = await app.make.project(customer, { name: 'Traforo di Gorizia' });
  const { invoiceNumber: number } = await app.make.invoice(customer, project);
  const clerk = await app.make.invoiceAdmin();
  const desk = await openAs(clerk);
  const untilAnswered = watchReads(desk);
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('searchbox', { name: 'Cerca' }).fill(number);
  await expect(desk.getByText('1 fattura', { exact: true })).toBeVisible();
  const onInvoice = async (item: string) => {
    await desk.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: item }).click();
  };
  const says = (text: string) =>
    expect(desk.getByRole('alert').filter({ hasText: text }).first()).toBeVisible();

  await answerOnce(desk, 'admin/invoices/status', answerWithFailure);
  await onInvoice('Segna come Pagata');
  await says("Errore durante l'aggiornamento dello stato");
  await answerOnce(desk, 'admin/invoices/status', isCut);
  await onInvoice('Segna come Pagata');
  await says('Errore imprevisto');

  await onInvoice('Elimina');
  const confirm = desk.getByRole('dialog', { name: /^Elimina/ });
  await answerOnce(desk, `admin/invoices/${number}?*`, answerWithFailure);
  // The error is shown before the list is read again.
  const { promise: told, resolve: isTold } = Promise.withResolvers<void>();
  await desk.route('**/api/admin/invoices?*', (route) => told.then(() => route.fallback()));
  await confirm.getByRole('button', { name: 'Elimina' }).click();
  await says("Errore durante l'eliminazione della fattura");
  isTold();
  await confirm.getByRole('button', { name: 'Annulla' }).click();

  // A failed search does not say "nothing found"; opening the list again repeats it.
  await desk.route('**/api/admin/customers?*', answerWithFailure);
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
  await chooseOption(desk, 'Utente', 'nives', /Nives Corsi/);
  await chooseOption(desk, 'Progetto', '', 'Traforo di Gorizia');
  await dialog.getByRole('textbox', { name: 'Importo' }).fill('10');
  const create = () => dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await answerOnce(
    desk,
    'admin/invoices',
    refuses('invoice_number_taken', 'Numero fattura già esistente. Riprova.'),
  );
  await create();
  await says('Numero fattura già esistente. Riprova.');
  await answerOnce(desk, 'admin/invoices', answerWithFailure);
  await create();
  await says('Errore durante la creazione della fattura: ');
  await answerOnce(desk, 'admin/invoices', isCut);
  await create();
  await says('Errore imprevisto durante la creazione della fattura: ');
  await answerOnce(desk, 'admin/invoices', (route) => route.fulfill({ status: 201 }));
  await create();
  await says('fattura: Nessun dato ritornato dalla creazione della fattura');
  // What is read again after a failure would meet the ended session first.
  await untilAnswered();
  await desk.context().clearCookies();
  await create();
  await signInAgain(desk, clerk);
  await expect(dialog.getByRole('combobox', { name: 'Utente' })).toHaveValue('Nives Corsi');
  await expect(dialog.getByRole('combobox', { name: 'Progetto' })).toHaveValue('Traforo di Gorizia');
  await dialog.getByRole('button', { name: 'Annulla' }).click();

  await desk.getByRole('button', { name: `Carica PDF della fattura ${number}` }).click();
  const uploading = desk.getByRole('dialog', { name: 'Carica PDF' });
  await uploading.locator('input[type="file"]').setInputFiles(pdfUpload('a.pdf', pdfOf(200)));
  await expect(uploading.getByText('a.pdf')).toBeVisible();
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
  await desk.route('**/file?*', answerWithFailure);
  await onFile('Scarica PDF');
  await says('Errore durante il download del file');
  await desk.unroute('**/file?*');
  await untilAnswered();
  await desk.context().clearCookies();
  await onFile('Scarica PDF');
  await signInAgain(desk, clerk);
  await onFile('Elimina PDF');
  await answerOnce(desk, `admin/invoices/${number}/file?*`, isCut);
  await confirm.getByRole('button', { name: 'Elimina' }).click();
  await says("Errore durante l'eliminazione del file");
  // The list is read again after the failure. It must still find the invoice.
  await untilAnswered();
  await confirm.getByRole('button', { name: 'Annulla' }).click();

  problems.expect(/status of 404/);
  const setFile = (name: string | null, url: string | null) =>
    app.make.sql('update invoices set file_name = $2, file_url = $3 where invoice_number = $1', [
      number,
      name,
      url,
    ]);
  const missing = desk.getByRole('button', { name: `Carica PDF della fattura ${number}` });
  const { rows } = await app.make.sql('select file_url as url from invoices where invoice_number = $1', [
    number,
  ]);
  await setFile(null, null);
  await onFile('Anteprima');
  await says('Nessun file disponibile');
  await desk.keyboard.press('Escape');
  await expect(missing).toBeVisible();
  await setFile('a.pdf', rows[0]?.url);
  await desk.reload();
  await expect(desk.getByRole('button', { name: `Azioni sul PDF della fattura ${number}` })).toBeVisible();
  await setFile(null, null);
  await onFile('Scarica PDF');
  await says('Nessun file disponibile');
  await expect(missing).toBeVisible();

  // A new page does not know of the deletion tried above, which would explain that the invoice is gone.
  await desk.reload();
  await expect(desk.getByText('1 fattura', { exact: true })).toBeVisible();
  await app.make.sql('delete from invoices where invoice_number = $1', [number]);
  await onInvoice('Elimina');
  await confirm.getByRole('button', { name: 'Elimina' }).click();
  await says('Errore nel recupero delle informazioni della fattura');
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
  const untilAnswered = watchReads(page);
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
    multipart: { file: pdfUpload('sede.pdf', pdfOf(300)) },
  });
  expect(stored.status()).toBe(200);
  await page.bringToFront();
  const saved = page.waitForEvent('download');
  await save();
  expect((await bytesOf(await saved)).length).toBe(300);
  // By its name, which the list does not know yet.
  expect((await saved).suggestedFilename()).toBe('sede.pdf');
  // An invoice deleted after the list was read leaves it. Deleted on the press: the list may still be read once more before.
  await page.route(`**/api/invoices/${gone}/file**`, async (route) => {
    await app.make.sql('delete from invoices where invoice_number = $1', [gone]);
    await route.fallback();
  });
  await page.getByRole('button', { name: `Scarica il PDF della fattura ${gone}` }).click();
  await says('Errore durante il download del file');
  await expect(entryOf(page, gone)).toHaveCount(0);
  // On the entry that is next to it now.
  await expect(entryOf(page, number).locator(':focus')).toContainText(number);
  await page.getByRole('button', { name: `Elimina la fattura ${number}` }).click();
  const confirm = page.getByRole('dialog', { name: /^Elimina/ });
  const remove = () => confirm.getByRole('button', { name: 'Elimina' }).click();
  await answerOnce(page, `invoices/${number}?*`, answerWithFailure);
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
  await chooseOption(page, 'Progetto', 'sede', 'Sede di Milano');
  await dialog.getByRole('textbox', { name: 'Importo' }).fill('75,5');
  const create = () => dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await answerOnce(page, 'invoices', answerWithFailure);
  await create();
  await says('Errore durante la creazione della fattura');
  await answerOnce(page, 'invoices', (route) => route.fulfill({ status: 201, json: {} }));
  await create();
  await says('Nessun dato ritornato dalla creazione della fattura');
  await answerOnce(page, 'invoices', refuses('invoice_references', 'Controlla utente e progetto.'));
  await create();
  await says('Errore nella creazione della fattura: Controlla utente e progetto.');

  // The session ends: after the login the form is back, with its file.
  await dialog.locator('input[type="file"]').setInputFiles(pdfUpload('sede.pdf', pdfOf(300)));
  await expect(dialog.getByText('sede.pdf')).toBeVisible();
  await untilAnswered();
  await page.context().clearCookies();
  await create();
  await says('Devi essere autenticato per creare una fattura');
  await signInAgain(page, admin);
  await expect(dialog.getByRole('textbox', { name: 'Importo' })).toHaveValue('75,50');
  await expect(dialog.getByRole('combobox', { name: 'Progetto' })).toHaveValue('Sede di Milano');
  await expect(dialog.getByText('sede.pdf')).toBeVisible();
  await create();
  await expect(page.getByText('Fattura creata con successo!')).toBeVisible();
  await expect(dialog).toHaveCount(0);

  await untilAnswered();
  await page.context().clearCookies();
  await page.getByRole('tab', { name: 'Fatture' }).click();
  await page.getByRole('button', { name: `Elimina la fattura ${number}` }).click();
  await remove();
  await expect(page).toHaveURL('/login');
  await says('Devi essere autenticato per eliminare una fattura');
});
