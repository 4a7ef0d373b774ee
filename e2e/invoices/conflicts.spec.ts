import type { Page } from '@playwright/test';
import { pdfOf } from '#server/testing/pdf.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { answerOnce } from '../support/answer-once.ts';
import { bytesOf, chooseOption, pdfUpload } from '../support/invoices.ts';
import { expect, test } from '../support/test.ts';

test('when two windows edit one invoice, the later one is shown both versions', { tag: '@once' }, async ({
  app,
  openAs,
  problems,
}) => {
  problems.expect(/status of 409/);
  const customer = await app.make.user();
  const project = await app.make.project(customer, { name: 'Viadotto Polcevera' });
  await app.make.project(customer, { name: 'Traforo Melarancio' });
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
  await chooseOption(first, 'Progetto', '', 'Traforo Melarancio');
  await save(first, '500');
  await expect(first.getByText('Fattura aggiornata')).toBeVisible();
  // What this reads must be from before the next change.
  const searched = first.waitForResponse(/\/api\/admin\/invoices\?.*search=melarancio/);
  await first.getByRole('searchbox', { name: 'Cerca' }).fill('melarancio');
  await searched;
  await expect(first.getByText('1 fattura', { exact: true })).toBeVisible();
  await save(second, '600');
  const notice = second.getByRole('note').filter({ hasText: 'Qualcuno ha modificato questi dati' });
  await expect(notice.getByRole('row', { name: 'Importo' })).toContainText('€ 600,00');
  await expect(notice.getByRole('row', { name: 'Importo' })).toContainText('€ 500,00');
  await expect(notice.getByRole('row', { name: 'Progetto' })).toContainText('Viadotto Polcevera');
  await expect(notice.getByRole('row', { name: 'Progetto' })).toContainText('Traforo Melarancio');
  await expectAccessible(second);
  await notice.getByRole('button', { name: 'Usa la versione salvata' }).click();
  await expect(second.getByRole('combobox', { name: 'Progetto' })).toHaveValue('Traforo Melarancio');
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

test('an edit of an invoice whose answer was lost can be saved again, without a conflict with itself', {
  tag: '@once',
}, async ({ app, openAs, problems }) => {
  for (const problem of [/ERR_FAILED/, /status of 409/]) problems.expect(problem);
  const customer = await app.make.user();
  const project = await app.make.project(customer);
  const { invoiceNumber: number } = await app.make.invoice(customer, project);
  const desk = await openAs(await app.make.invoiceAdmin());
  await answerOnce(desk, `admin/invoices/${number}`, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await desk.goto(`/app/admin/invoices?cerca=${number}`);
  await desk.getByRole('button', { name: `Azioni sulla fattura ${number}` }).click();
  await desk.getByRole('menuitem', { name: 'Modifica' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Modifica fattura' });
  await dialog.getByRole('textbox', { name: 'Descrizione' }).fill(' Vitto e alloggio \n');
  await dialog.getByRole('textbox', { name: 'Scadenza' }).fill('');
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Connessione assente o instabile');
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(desk.getByText('Fattura aggiornata')).toBeVisible();
  await expect(dialog).toBeHidden();
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
    const multipart = { file: pdfUpload(name, pdfOf(200)) };
    const stored = await elsewhere.request.put(`/api/admin/invoices/${number}/file`, { multipart });
    expect(stored.ok()).toBe(true);
  };
  const onFile = async (item: string) => {
    await desk.getByRole('button', { name: `Azioni sul PDF della fattura ${number}` }).click();
    await desk.getByRole('menuitem', { name: item }).click();
  };
  await desk.goto('/app/admin/invoices');
  await desk.getByRole('button', { name: `Carica PDF della fattura ${number}` }).click();
  await desk.locator('input[type="file"]').setInputFiles(pdfUpload('mia.pdf', pdfOf(200)));
  await expect(desk.getByRole('dialog').getByText('mia.pdf')).toBeVisible();
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
  await uploading.locator('input[type="file"]').setInputFiles(pdfUpload('ancora.pdf', pdfOf(200)));
  await expect(uploading.getByText('ancora.pdf')).toBeVisible();
  await losesAnswer();
  await uploading.getByRole('button', { name: 'Carica PDF' }).click();
  await expect(uploading.getByRole('alert')).toHaveText('Errore durante il caricamento del file');
  await uploading.getByRole('button', { name: 'Carica PDF' }).click();
  await expect(desk.getByText('File caricato con successo!')).toBeVisible();
});

test('a PDF that a colleague has replaced is shown and saved under its own name, not that of the one before', {
  tag: '@once',
}, async ({ app, openAs }) => {
  const customer = await app.make.user();
  const { invoiceNumber: number } = await app.make.invoice(customer, await app.make.project(customer));
  const clerk = await app.make.invoiceAdmin();
  const [elsewhere, desk] = [await openAs(clerk), await openAs(clerk)];
  const upload = async (name: string, size: number) => {
    const multipart = { file: pdfUpload(name, pdfOf(size)) };
    const stored = await elsewhere.request.put(`/api/admin/invoices/${number}/file`, { multipart });
    expect(stored.ok()).toBe(true);
  };
  await upload('bozza.pdf', 200);
  const page = await openAs(customer);
  await page.goto('/app/pagamenti-fatture?vista=fatture');
  const save = page.getByRole('button', { name: `Scarica il PDF della fattura ${number}` });
  await expect(save).toBeVisible();
  await desk.bringToFront();
  await desk.goto(`/app/admin/invoices?cerca=${number}`);
  const preview = desk.getByRole('button', { name: 'Anteprima di bozza.pdf' });
  await expect(preview).toBeVisible();
  await upload('Fattura è definitiva.pdf', 300);
  const filed = desk.waitForEvent('download');
  await desk.getByRole('button', { name: `Azioni sul PDF della fattura ${number}` }).click();
  await desk.getByRole('menuitem', { name: 'Scarica PDF' }).click();
  expect((await filed).suggestedFilename()).toBe('Fattura è definitiva.pdf');
  expect((await bytesOf(await filed)).length).toBe(300);
  await expect(desk.getByText('Fattura è definitiva.pdf')).toBeVisible();
  await preview.click();
  await expect(desk.getByRole('dialog', { name: 'Fattura è definitiva.pdf' })).toBeVisible();
  await page.bringToFront();
  const saved = page.waitForEvent('download');
  await save.click();
  expect((await saved).suggestedFilename()).toBe('Fattura è definitiva.pdf');
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
    const multipart = { file: pdfUpload('FatturaDelCollega1795334400000KYVXBWNK.pdf', pdfOf(200)) };
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
  await expect
    .poll(() => notice.evaluate((box) => box.scrollWidth - box.clientWidth), 'its words fit')
    .toBe(0);
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
