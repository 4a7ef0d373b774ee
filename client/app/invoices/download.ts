import { answerFile } from '#client/lib/answer-file.ts';
import { ApiError, api } from '#client/lib/api.ts';
import { worded } from '#client/lib/failures.ts';
import { INVOICE_PDF, INVOICE_TEXTS, type Invoice } from '#contract/invoices.ts';

/**
 * For `catch` of the download of a PDF: rejects with the text of spec §8, or unchanged when the read was aborted because
 * the account is being left.
 */
function downloadFailure(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw worded(error, { literal: 'file_missing', failed: INVOICE_TEXTS.downloadFailed });
}

/**
 * The PDF that a call returns, under its own name: it may have been replaced, or added, since the list was read. Rejects with
 * the text of spec §8.
 * @param known its name in the list
 */
export async function readPdf(call: Promise<Response>, known: string | null): Promise<File> {
  const content = await answerFile(call, 'application/pdf').catch(downloadFailure);
  const { headers } = await call;
  const [, named] = /filename\*=UTF-8''([^;]+)/.exec(headers.get('Content-Disposition') ?? '') ?? [];
  const name = named === undefined ? (known ?? INVOICE_PDF.name) : decodeURIComponent(named);
  return new File([content], name, { type: content.type });
}

/** The PDF of an own invoice; rejects with the text of spec §8. */
export function downloadInvoice({ number, updatedAt, fileName }: Invoice): Promise<File> {
  return readPdf(
    api.invoices[':number'].file.$get({
      param: { number },
      // A replaced file has a new URL, so that the browser's cache never shows the old one.
      query: { v: updatedAt },
    }),
    fileName,
  );
}
