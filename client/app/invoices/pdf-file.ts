import { ApiError } from '#client/lib/api.ts';
import { headOf, UNREADABLE_FILE } from '#client/lib/chosen-file.ts';
import { ERRORS } from '#contract/errors.ts';
import { INVOICE_PDF, pdfProblem } from '#contract/invoices.ts';

/** The Italian message about an invalid file; null when it is a PDF according to spec §5 (rule 3). */
export async function pdfFileProblem(file: File): Promise<string | null> {
  const head = await headOf(file, INVOICE_PDF.headBytes);
  if (head === null) return UNREADABLE_FILE;
  const problem = pdfProblem({ size: file.size, head });
  return problem && ERRORS[problem].message;
}

/**
 * Checks the chosen file of a form again before it is sent, and once that has failed: a browser refuses to read a file that
 * was changed or moved since, and reports the upload like a missing connection, however often it is repeated. Such a file stays
 * in the form: without it, the next press would send the form as if no file had been chosen.
 * @throws ApiError with the reason at the field `file`
 */
export async function requireSendable(file: File): Promise<void> {
  const message = await pdfFileProblem(file);
  if (message === null) return;
  throw new ApiError({ status: 0, code: 'invalid_input', message, fields: { file: message } });
}
