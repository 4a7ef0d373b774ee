import { formatDate, todayInRome } from '#contract/dates.ts';

/** Fields of the create form; one set to null is left out. */
export type InvoiceFormValues = {
  userId?: string | null;
  projectId?: number | string | null;
  amount?: string | null;
  issueDate?: string | null;
  dueDate?: string | null;
  description?: string | null;
  file?: File | null;
};

/** A PDF to upload. */
export function pdfFile(bytes: Uint8Array<ArrayBuffer>, name = 'fattura marzo.pdf'): File {
  return new File([bytes], name, { type: 'application/pdf' });
}

/** The create form as a browser sends it: an invoice of 1.250,50 euro issued today, overridden by `values`. */
export function invoiceForm(values: InvoiceFormValues): FormData {
  const form = new FormData();
  const fields = { amount: '1.250,50', issueDate: formatDate(todayInRome()), ...values };
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof File) form.append(name, value);
    else if (value !== null && value !== undefined) form.append(name, String(value));
  }
  return form;
}
