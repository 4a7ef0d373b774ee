import { type FormNames, firstMessages } from '#client/lib/form-errors.ts';
import { type CalendarDate, todayInRome } from '#contract/dates.ts';
import { ERRORS } from '#contract/errors.ts';
import { draftProblems, type Invoice, type InvoiceDraft, ownInvoiceFormSchema } from '#contract/invoices.ts';
import type { z } from '#contract/validation.ts';

/** A project in a form field, with its name, so that it can be shown before any search. */
export type NamedProject = { id: number; name: string };

/**
 * The values of an invoice's fields while they are filled in. Dates and amount as produced by DateField and EuroField.
 */
export type InvoiceValues = {
  project: NamedProject | null;
  amount: number | string;
  issueDate: string;
  dueDate: string;
  description: string;
};

/** The fields of an invoice as validated and submitted. */
export type InvoiceFieldTexts = Omit<InvoiceValues, 'project'> & { projectId: string };

/** An invoice's customer and project are whole records in its form, and only their ids are submitted. */
export const INVOICE_FORM_NAMES: FormNames = { userId: 'customer', projectId: 'project' };

export type NewInvoiceValues = InvoiceValues & { file: File | null };

/** An empty invoice, issued today. */
export function emptyInvoice(): NewInvoiceValues {
  return { project: null, amount: '', issueDate: todayInRome(), dueDate: '', description: '', file: null };
}

/** The values of an existing invoice. */
export function valuesOf(invoice: Invoice): InvoiceValues {
  const { projectId, projectName, amount, issueDate, dueDate, description } = invoice;
  return {
    project: projectId === null ? null : { id: projectId, name: projectName },
    amount,
    issueDate,
    dueDate: dueDate ?? '',
    description: description ?? '',
  };
}

/**
 * The submitted fields of a new invoice, besides its file.
 * @returns with an empty `projectId` when no project is chosen
 */
export function invoiceFieldsOf({ project, file: _, ...fields }: NewInvoiceValues): InvoiceFieldTexts {
  return { projectId: project ? String(project.id) : '', ...fields };
}

/** An amount as submitted: with a decimal comma, which cannot be mistaken for a thousands separator. */
function amountText(amount: number | string): string {
  return typeof amount === 'number' ? String(amount).replace('.', ',') : amount;
}

const FUTURE = 'La data di emissione non può essere nel futuro.';

/**
 * Validates values as the server does, and also forbids an issue date after today (spec §5, date picker).
 * @param schema of the submitted form
 * @param kept the issue date that an existing invoice already has and may keep
 * @returns field of the form → Italian message for every wrong field, empty when everything is valid
 */
export function invoiceErrors(
  schema: z.ZodType<InvoiceDraft>,
  values: InvoiceFieldTexts,
  kept?: CalendarDate,
): Record<string, string> {
  const texts = textsOf(values);
  const errors = firstMessages(schema.safeParse(texts), INVOICE_FORM_NAMES);
  // Parsed separately, so that rules across fields also apply to the valid ones among invalid others.
  const fields = ownInvoiceFormSchema.shape;
  const amount = fields.amount.safeParse(texts.amount).data;
  const issueDate = fields.issueDate.safeParse(texts.issueDate).data;
  const dueDate = fields.dueDate.safeParse(texts.dueDate).data;
  const today = todayInRome();
  // Before the rules, whose window ends in a year: a date corrected to one within it would be refused again.
  if (issueDate && issueDate > today && issueDate !== kept) errors.issueDate ??= FUTURE;
  for (const { field, code } of draftProblems({ amount, issueDate, dueDate }, today, kept)) {
    errors[field] ??= ERRORS[code].message;
  }
  return errors;
}

function textsOf(values: InvoiceFieldTexts): Record<string, string> {
  const texts = Object.entries(values).map(([field, value]) => [
    field,
    field === 'amount' ? amountText(values.amount) : String(value ?? ''),
  ]);
  return Object.fromEntries(texts);
}

/** The form to submit, with its PDF if one was chosen. */
export function formDataOf(values: InvoiceFieldTexts, file: File | null): FormData {
  const form = new FormData();
  for (const [field, text] of Object.entries(textsOf(values))) form.append(field, text);
  if (file) form.append('file', file);
  return form;
}
