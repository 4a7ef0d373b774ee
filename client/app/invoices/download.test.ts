import { expect, test } from 'vitest';
import { INVOICE_TEXTS } from '#contract/invoices.ts';
import { readPdf } from './download.ts';

const answerOf = (type: string) =>
  Promise.resolve(new Response('%PDF-1.7', { headers: { 'Content-Type': type } }));

test('a PDF has the name that the server gives it, or the one in the list', async () => {
  const call = answerOf('application/pdf');
  (await call).headers.set('Content-Disposition', "attachment; filename*=UTF-8''marzo%202.pdf");
  expect((await readPdf(call, 'febbraio.pdf')).name).toBe('marzo 2.pdf');
  expect((await readPdf(answerOf('application/pdf'), 'febbraio.pdf')).name).toBe('febbraio.pdf');
});

test('the page of a proxy is not taken for the PDF of an invoice', async () => {
  await expect(readPdf(answerOf('text/html'), 'febbraio.pdf')).rejects.toThrow(INVOICE_TEXTS.downloadFailed);
});
