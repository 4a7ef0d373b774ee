import { type CalendarDate, todayInRome } from '#contract/dates.ts';
import { checkDraft, type InvoiceDraft, problemText } from '#contract/invoices.ts';
import type { z } from '#contract/validation.ts';

/** A project as a field of a form holds it: its name is shown before anything is searched. */
export type NamedProject = { id: number; name: string };

/** What the fields of an invoice hold while they are filled in. Dates and amount as DateField and EuroField give them. */
export type InvoiceValues = {
  project: NamedProject | null;
  amount: number | string;
  issueDate: string;
  dueDate: string;
  description: string;
};

/** The fields of an invoice as they are checked and sent. */
export type InvoiceFieldTexts = Omit<InvoiceValues, 'project'> & { projectId: string };

export type NewInvoiceValues = InvoiceValues & { file: File | null };

/** An invoice to be filled in, issued today. */
export function emptyInvoice(): NewInvoiceValues {
  return { project: null, amount: '', issueDate: todayInRome(), dueDate: '', description: '', file: null };
}

/**
 * What is sent of a new invoice, besides its file.
 * @returns with an empty `projectId` where no project is chosen
 */
export function invoiceFieldsOf({ project, file: _, ...fields }: NewInvoiceValues): InvoiceFieldTexts {
  return { projectId: project ? String(project.id) : '', ...fields };
}

/** An amount as a form sends it: with a comma, which no reader takes for a mark of thousands. */
function amountText(amount: number | string): string {
  return typeof amount === 'number' ? String(amount).replace('.', ',') : amount;
}

const FUTURE = 'La data di emissione non può essere nel futuro.';

/**
 * Checks values as the server will, and what spec §5 asks of the date picker: no issue date after today.
 * @param schema of the form that is sent
 * @param kept the issue date that an invoice has already, and may keep
 * @returns field → Italian message, empty when all is well
 */
export function invoiceErrors(
  schema: z.ZodType<InvoiceDraft>,
  values: InvoiceFieldTexts,
  kept?: CalendarDate,
): Record<string, string> {
  const parsed = schema.safeParse(textsOf(values));
  if (!parsed.success) {
    const errors: Record<string, string> = {};
    for (const { path, message } of parsed.error.issues) errors[String(path[0])] ??= message;
    return errors;
  }
  const today = todayInRome();
  const checked = checkDraft(parsed.data, today, kept);
  if ('problem' in checked) return { [checked.problem.field]: problemText(checked.problem.code) };
  const { issueDate } = checked.draft;
  return issueDate > today && issueDate !== kept ? { issueDate: FUTURE } : {};
}

function textsOf(values: InvoiceFieldTexts): Record<string, string> {
  const texts = Object.entries(values).map(([field, value]) => [
    field,
    field === 'amount' ? amountText(values.amount) : String(value ?? ''),
  ]);
  return Object.fromEntries(texts);
}

/** The form as it is sent, with its PDF if one was chosen. */
export function formDataOf(values: InvoiceFieldTexts, file: File | null): FormData {
  const form = new FormData();
  for (const [field, text] of Object.entries(textsOf(values))) form.append(field, text);
  if (file) form.append('file', file);
  return form;
}
