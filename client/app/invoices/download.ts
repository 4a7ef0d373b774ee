import { ApiError, answerFile, api } from '#client/lib/api.ts';
import { worded } from '#client/lib/failures.ts';
import { INVOICE_TEXTS, type Invoice } from '#contract/invoices.ts';

/**
 * For `catch` of the download of a PDF: rejects with the text of spec §8, or unchanged when the read was aborted because
 * the account is being left.
 */
export function downloadFailure(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw worded(error, { literal: 'file_missing', failed: INVOICE_TEXTS.downloadFailed });
}

/** The PDF of an own invoice; rejects with `downloadFailure`. */
export function downloadInvoice(invoice: Invoice): Promise<Blob> {
  return answerFile(
    api.invoices[':number'].file.$get({
      param: { number: invoice.number },
      // A replaced file has a new URL, so that the browser's cache never shows the old one.
      query: { v: invoice.updatedAt },
    }),
  ).catch(downloadFailure);
}
