import { rm, utimes, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { addDays, type CalendarDate, formatDate, todayInRome } from '#contract/dates.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { answerOnce } from '../support/answer-once.ts';
import type { RunningApp } from '../support/app.ts';
import { chooseOption, entryOf, pdfUpload } from '../support/invoices.ts';
import { expect, test } from '../support/test.ts';

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
    await chooseOption(desk, 'Utente', 'serramanna', /Ida Serramanna/);
    await project.click();
  };
  await start();
  await expect(desk.getByText('Nessun progetto trovato per questo utente').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Annulla', exact: true }).click();
  await expect(dialog).toHaveCount(0);

  const gone = await app.make.project(customer, { name: 'Diga di Olginate' });
  const namesakes = { name: 'Centrale di Somplago', location: 'Cavazzo' };
  await app.make.project(customer, namesakes);
  await app.make.project(customer, { ...namesakes, startDate: '2026-01-05' as CalendarDate });
  await app.make.project(customer, { ...namesakes, location: 'Trasaghis', status: 'Completato' });
  await start();
  await desk.getByRole('option', { name: 'Diga di Olginate' }).click();
  await app.make.sql('delete from projects where id = $1', [gone.id]);
  await dialog.getByRole('textbox', { name: 'Importo' }).fill('90');
  await dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await expect(project).toHaveAttribute('aria-invalid', 'true');
  const refused = dialog.getByText('Progetto selezionato non valido');
  await expect(refused).toHaveCount(1);
  await project.click();
  const first = 'Centrale di Somplago Cavazzo · In corso · 05/01/2026 – 04/02/2026';
  await desk.getByRole('option', { name: first, exact: true }).click();
  await expect(project).toHaveValue('Centrale di Somplago');
  await expect(refused).toHaveCount(0);
  await project.click();
  await expect(desk.getByRole('option', { selected: true })).toContainText('05/01/2026');
  const third = 'Centrale di Somplago Trasaghis · Completato';
  await expect(desk.getByRole('option', { name: third, exact: true })).toBeVisible();
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
  const dialog = page.getByRole('dialog', { name: 'Nuova Fattura' });
  await dialog.getByRole('combobox', { name: 'Progetto' }).click();
  await expect(page.getByRole('option')).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Annulla', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  // A project from another tab is offered at the next opening.
  await app.make.project(admin, { name: 'Sede di Torino' });
  await page.getByRole('button', { name: 'Nuova Fattura' }).click();
  await dialog.getByRole('combobox', { name: 'Progetto' }).click();
  await expect(page.getByRole('option')).toHaveCount(2);
  await chooseOption(page, 'Progetto', 'sede di m', 'Sede di Milano');
  await dialog.getByRole('textbox', { name: 'Importo' }).fill('75');
  await dialog.getByRole('button', { name: 'Crea Fattura' }).click();
  await expect(page.getByText('Fattura creata con successo!')).toBeVisible();
  await expect(page.getByText('€ 75,00').first()).toBeVisible();
});

test('a PDF changed after it was chosen has to be chosen again, and the form says so', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/ERR_FILE_NOT_FOUND/);
  const customer = await app.make.user({ fullName: 'Tullio Greppi' });
  const project = await app.make.project(customer, { name: 'Galleria di Gorizia' });
  const { invoiceNumber: number } = await app.make.invoice(customer, project);
  const desk = await openAs(await app.make.invoiceAdmin());
  const path = test.info().outputPath('fattura.pdf');
  const unreadable =
    'Non è stato possibile leggere il file, forse cambiato o spostato dopo la scelta: sceglilo di nuovo.';

  await desk.goto('/app/admin/invoices');
  await desk.getByRole('button', { name: `Carica PDF della fattura ${number}` }).click();
  const uploading = desk.getByRole('dialog', { name: 'Carica PDF' });
  await writeFile(path, pdfOf(200));
  // Long ago, because the browser tells a changed file by the second of its time.
  await utimes(path, 1e9, 1e9);
  await uploading.locator('input[type="file"]').setInputFiles(path);
  await expect(uploading.getByText('fattura.pdf')).toBeVisible();
  await writeFile(path, pdfOf(300));
  await uploading.getByRole('button', { name: 'Carica PDF' }).click();
  await expect(uploading.getByText(unreadable)).toBeVisible();
  await expect(uploading.getByRole('button', { name: 'Scegli un PDF' })).toBeFocused();
  const chooseAgain = async () => {
    const chooser = desk.waitForEvent('filechooser');
    await uploading.getByRole('button', { name: 'Scegli un PDF' }).click();
    await (await chooser).setFiles(path);
    await expect(uploading.getByRole('button', { name: 'Togli fattura.pdf' })).toBeFocused();
  };
  await chooseAgain();
  // While it is being sent, too.
  await answerOnce(desk, `admin/invoices/${number}/file?*`, async (route) => {
    await rm(path);
    await route.continue();
  });
  await uploading.getByRole('button', { name: 'Carica PDF' }).click();
  await expect(uploading.getByText(unreadable)).toBeVisible();
  await writeFile(path, pdfOf(300));
  await chooseAgain();
  await uploading.getByRole('button', { name: 'Carica PDF' }).click();
  await expect(desk.getByText('File caricato con successo!')).toBeVisible();

  await desk.getByRole('button', { name: 'Crea Nuova Fattura' }).click();
  const creating = desk.getByRole('dialog', { name: 'Crea Nuova Fattura' });
  await chooseOption(desk, 'Utente', 'tullio', /Tullio Greppi/);
  await chooseOption(desk, 'Progetto', '', 'Galleria di Gorizia');
  await creating.getByRole('textbox', { name: 'Importo' }).fill('10');
  await creating.locator('input[type="file"]').setInputFiles(path);
  await expect(creating.getByText('fattura.pdf')).toBeVisible();
  await rm(path);
  const create = creating.getByRole('button', { name: 'Crea Fattura' });
  await create.click();
  await expect(creating.getByText(unreadable)).toBeVisible();
  // The next press does not create it without its PDF, unless that is taken off.
  const choose = creating.getByRole('button', { name: 'Scegli un PDF' });
  await expect(choose).toBeFocused();
  await create.focus();
  await create.press('Enter');
  await expect(choose).toBeFocused();
  await expect(creating.getByText(unreadable)).toBeVisible();
  await creating.getByRole('button', { name: 'Togli fattura.pdf' }).click();
  await expect(choose).toBeFocused();
  await create.click();
  await expect(desk.getByText('Fattura creata con successo!')).toBeVisible();
});

test('an invoice is entered by typing, with Enter and Tab alone', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const customer = await app.make.user({ fullName: 'Ornella Vigna' });
  await app.make.project(customer, { name: 'Banchina di Gaeta' });
  await app.make.project(customer, { name: 'Banchina di Formia' });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('button', { name: 'Crea Nuova Fattura' }).press('Enter');
  const dialog = desk.getByRole('dialog', { name: 'Crea Nuova Fattura' });
  const user = dialog.getByRole('combobox', { name: 'Utente' });
  await expect(user).toBeFocused();
  const { keyboard } = desk;

  // Pressed before anybody is found, Enter does not send the form.
  const { promise: pressed, resolve: isPressed } = Promise.withResolvers<void>();
  await desk.route('**/api/admin/customers?*', (route) => pressed.then(() => route.fallback()));
  await keyboard.type('ornella vig');
  await keyboard.press('Enter');
  isPressed();
  await expect(
    desk.getByRole('status').filter({ hasText: '1 risultato, Invio sceglie Ornella Vigna' }),
  ).toBeAttached();
  await expect(dialog.getByText('Seleziona un progetto', { exact: true })).toHaveCount(0);
  await keyboard.press('Enter');
  await expect(user).toHaveValue('Ornella Vigna');
  await keyboard.press('Tab');

  // Tab takes what is found only if nothing else is.
  const project = dialog.getByRole('combobox', { name: 'Progetto' });
  await expect(project).toBeFocused();
  await keyboard.type('banchina');
  await expect(desk.getByRole('option')).toHaveCount(2);
  await keyboard.press('Tab');
  const amount = dialog.getByRole('textbox', { name: 'Importo' });
  await expect(amount).toBeFocused();
  await expect(project).toHaveValue('');
  await keyboard.press('Shift+Tab');
  await keyboard.type('gaeta');
  await expect(desk.getByRole('option')).toHaveCount(1);
  await keyboard.press('Tab');
  await expect(project).toHaveValue('Banchina di Gaeta');
  await expect(amount).toBeFocused();
  await keyboard.type('1250,5');

  // Typing replaces the date that the field begins with.
  await keyboard.press('Tab');
  const issued = formatDate(addDays(todayInRome(), -2));
  await keyboard.type(issued.replaceAll('/', ''));
  await keyboard.press('Enter');
  await expect(desk.getByText('Fattura creata con successo!')).toBeVisible();
  await desk.getByRole('searchbox', { name: 'Cerca' }).fill('Banchina di Gaeta');
  await expect(entryOf(desk, 'Banchina di Gaeta')).toContainText(issued);
  await expect(entryOf(desk, 'Banchina di Gaeta')).toContainText('€ 1.250,50');
});

test('in a list of search results, a screen reader is at the option that Enter takes', {
  tag: '@once',
}, async ({ app, openAs }) => {
  for (const fullName of ['Zelda Amati', 'Zelda Bassi', 'Zelda Conti']) await app.make.user({ fullName });
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto('/app/admin/invoices?nuova=1');
  const user = desk.getByRole('dialog').getByRole('combobox', { name: 'Utente' });
  await expect(user).toBeFocused();
  const active = () =>
    user.evaluate(
      (field) => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent,
    );
  const { keyboard } = desk;
  const options = desk.getByRole('option');
  const told = (words: string) => expect(desk.getByRole('status').filter({ hasText: words })).toBeAttached();
  /** The keys begin at the first result, which is marked after it is told. */
  const firstIsMarked = () => expect(options.first()).toHaveAttribute('data-combobox-selected', 'true');
  // The space that the keyboard of a phone adds changes nothing.
  await keyboard.type('zelda amati');
  await told('1 risultato, Invio sceglie Zelda Amati');
  await keyboard.type(' ');
  await keyboard.press('Enter');
  await expect(user).toHaveValue('Zelda Amati');

  await user.selectText();
  await keyboard.type('zelda');
  await expect(options).toHaveCount(3);
  await firstIsMarked();
  await keyboard.press('ArrowDown');
  const second = (await options.nth(1).textContent()) ?? '';
  await expect.poll(active).toBe(second);
  // A new search begins with its first result, which the keys have not come to.
  await keyboard.press('Backspace');
  await told('3 risultati, Invio sceglie Zelda');
  await firstIsMarked();
  expect(await active()).toBeUndefined();
  await keyboard.press('ArrowDown');
  const taken = (await options.nth(1).textContent()) ?? '';
  await expect.poll(active).toBe(taken);
  await keyboard.press('Enter');
  expect(taken).toContain(await user.inputValue());
});

/** Opens the dialog that takes the PDF of a new invoice. */
async function openUpload(app: RunningApp, desk: Page) {
  const customer = await app.make.user();
  const { invoiceNumber: number } = await app.make.invoice(customer, await app.make.project(customer), {
    euro: 480,
  });
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('searchbox', { name: 'Cerca' }).fill(number);
  // Until then the row may move away under the pointer.
  await expect(desk.getByText('1 fattura', { exact: true })).toBeVisible();
  await desk.getByRole('button', { name: `Carica PDF della fattura ${number}` }).click();
  return { dialog: desk.getByRole('dialog', { name: 'Carica PDF' }), number };
}

test('each wrong file is refused, and the choice of a file has the focus', { tag: '@once' }, async ({
  app,
  openAs,
}) => {
  const desk = await openAs(await app.make.invoiceAdmin());
  const { dialog } = await openUpload(app, desk);
  await expect(dialog.getByRole('button', { name: 'Scegli un PDF' })).toBeFocused();
  for (const name of ['lettera.txt', 'foto.png', 'foglio.xls']) {
    await dialog.locator('input[type="file"]').setInputFiles([]);
    const read = desk.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const { arrayBuffer } = Blob.prototype;
          Blob.prototype.arrayBuffer = async function read() {
            Blob.prototype.arrayBuffer = arrayBuffer;
            const content = await arrayBuffer.call(this);
            setTimeout(resolve);
            return content;
          };
        }),
    );
    await dialog.locator('input[type="file"]').setInputFiles(pdfUpload(name, new TextEncoder().encode(name)));
    await read;
    // The button keeps the focus, so that each refusal is an announcement of its own.
    const told = dialog.getByRole('alert').locator('span:not([data-heard])');
    await expect(told).toHaveText('Solo file PDF sono permessi');
    await told.evaluate((words) => {
      words.dataset.heard = 'true';
    });
  }
});

test('after the upload for an invoice that is gone, the focus stays in the list', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 404/);
  const desk = await openAs(await app.make.invoiceAdmin());
  const { dialog, number } = await openUpload(app, desk);
  await dialog.locator('input[type="file"]').setInputFiles(pdfUpload('fattura.pdf', pdfOf(100)));
  await expect(dialog.getByText('fattura.pdf')).toBeVisible();
  await app.make.sql('delete from invoices where invoice_number = $1', [number]);
  // A connection so slow that the focus would have returned from a closed dialog before the list arrives.
  await desk.route('**/api/admin/invoices?*', async (route) => {
    await desk.evaluate(async () => {
      const inDialog = () => document.activeElement?.closest('[role=dialog]');
      for (let frame = 0; frame < 30 && inDialog(); frame += 1) await new Promise(requestAnimationFrame);
    });
    await route.fallback();
  });
  await dialog.getByRole('button', { name: 'Carica PDF' }).click();
  await expect(desk.getByText('Non esiste più: la pagina è aggiornata.')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(desk.getByRole('heading', { name: 'Fatture nel Sistema' })).toBeFocused();
});

test('while an invoice is being sent the focus stays in its dialog, and after a failure it is back in the field', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  problems.expect(/status of 500/);
  problems.expect(/status of 422/);
  const customer = await app.make.user({ fullName: 'Vilma Grado' });
  await app.make.project(customer, { name: 'Laguna di Grado' });
  const { invoiceNumber: number } = await app.make.invoice(customer, await app.make.project(customer));
  const desk = await openAs(await app.make.invoiceAdmin());
  await desk.goto(`/app/admin/invoices?cerca=${number}`);
  await expect(desk.getByText('1 fattura', { exact: true })).toBeVisible();
  /** Sends with `press`, goes on with Tab while the server does not answer, and then fails with `json`. */
  const sendInVain = async (path: string, busyLabel: string, press: () => Promise<void>, json: object) => {
    const { promise: looked, resolve: isLooked } = Promise.withResolvers<void>();
    await answerOnce(desk, path, async (route) => {
      await looked;
      await route.fulfill({ status: 'error' in json ? 422 : 500, json });
    });
    await press();
    const dialog = desk.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: busyLabel })).toBeFocused();
    await desk.keyboard.press('Tab');
    await expect(dialog.locator(':focus')).toHaveCount(1);
    await desk.keyboard.press('Shift+Tab');
    isLooked();
    await expect(dialog.getByRole('button', { name: busyLabel })).toHaveCount(0);
  };

  await desk.getByRole('button', { name: 'Crea Nuova Fattura' }).click();
  const creating = desk.getByRole('dialog', { name: 'Crea Nuova Fattura' });
  await chooseOption(desk, 'Utente', 'vilma', /Vilma Grado/);
  await chooseOption(desk, 'Progetto', '', 'Laguna di Grado');
  const amount = creating.getByRole('textbox', { name: 'Importo' });
  await amount.fill('480');
  await creating.locator('input[type="file"]').setInputFiles(pdfUpload('fattura.pdf', pdfOf(100)));
  await expect(creating.getByText('fattura.pdf')).toBeVisible();
  const enter = () => amount.press('Enter');
  await sendInVain('admin/invoices', 'Creazione...', enter, {});
  await expect(creating.getByRole('alert')).toBeVisible();
  await expect(amount).toBeFocused();
  const message = 'Il progetto non esiste';
  const error = { code: 'invoice_project', message, fields: { projectId: message } };
  await sendInVain('admin/invoices', 'Creazione...', enter, { error });
  await expect(creating.getByRole('combobox', { name: 'Progetto' })).toBeFocused();
  await creating.getByRole('button', { name: 'Annulla' }).click();
  await expect(creating).toHaveCount(0);

  await desk.getByRole('button', { name: `Carica PDF della fattura ${number}` }).click();
  const uploading = desk.getByRole('dialog', { name: 'Carica PDF' });
  await expect(uploading.getByRole('button', { name: 'Scegli un PDF' })).toBeFocused();
  await uploading.locator('input[type="file"]').setInputFiles(pdfUpload('fattura.pdf', pdfOf(100)));
  const takeOff = uploading.getByRole('button', { name: 'Togli fattura.pdf' });
  await expect(takeOff).toBeFocused();
  // In Safari a pressed button does not take the focus.
  const pressInSafari = () =>
    uploading
      .getByRole('button', { name: 'Carica PDF' })
      .evaluate((button: HTMLButtonElement) => button.click());
  await sendInVain(`admin/invoices/${number}/file?*`, 'Caricamento...', pressInSafari, {});
  await expect(uploading.getByRole('alert')).toBeVisible();
  await expect(takeOff).toBeFocused();
});

test('the back button closes the form of a new invoice, and then leads to the page before', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const page = await openAs(await app.make.user({ role: 'admin' }));
  await page.goto('/app/home');
  await page
    .getByRole('navigation', { name: 'Menu principale' })
    .getByRole('link', { name: 'Pagamenti e Fatture' })
    .click();
  const create = page.getByRole('button', { name: 'Nuova Fattura', exact: true });
  await create.click();
  const dialog = page.getByRole('dialog', { name: 'Nuova Fattura' });
  await expect(dialog.locator(':focus')).toBeVisible();
  await expect(page).toHaveURL('/app/pagamenti-fatture?nuova=1');
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL('/app/pagamenti-fatture');
  await expect(create).toBeFocused();
  await page.goBack();
  await expect(page).toHaveURL('/app/home');
});
