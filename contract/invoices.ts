import {
  addDays,
  addYears,
  type CalendarDate,
  calendarDateSchema,
  dateProblem,
  instantSchema,
  isCalendarDate,
  parseItalianDate,
} from './dates.ts';
import { SAMPLE_PROJECT_PLACES } from './employees.ts';
import type { ErrorCode } from './errors.ts';
import { EXPORT_FORMATS, idFilterSchema, listQuerySchema, listSchema } from './lists.ts';
import { euroSchema, formatEuro, hasWholeCents, parseEuro, sumOfEuro } from './money.ts';
import { optionalText, requiredText, z } from './validation.ts';

/** States of an invoice (spec §4); a new one is 'Da Pagare'. */
export const INVOICE_STATUSES = ['Da Pagare', 'Pagata'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** State filters of a list: a stored state, or overdue, which means unpaid after its due date. */
export const INVOICE_FILTERS = [...INVOICE_STATUSES, 'Scaduta'] as const;
export type InvoiceFilter = (typeof INVOICE_FILTERS)[number];

/** The filter with this name; undefined for any other text. */
export function invoiceFilterOf(text: string | null): InvoiceFilter | undefined {
  return INVOICE_FILTERS.find((filter) => filter === text);
}

/** Largest amount of one invoice, in euro (spec §9). */
const MAX_INVOICE_EURO = 1_000_000;
/** The longest description of an invoice, in characters. */
export const MAX_DESCRIPTION_LENGTH = 2000;
/** Days from issue to due date when the form names none. */
export const DEFAULT_DUE_DAYS = 30;
/** Invoices in 'Fatture Recenti' (spec §9). */
export const RECENT_INVOICES = 5;
/**
 * The PDF of an invoice: its maximum size (spec §9), within how many bytes the signature must appear, and its name where
 * none is known (spec §7).
 */
export const INVOICE_PDF = {
  maxBytes: 10_485_760,
  headBytes: 1024,
  signature: '%PDF-',
  name: 'fattura.pdf',
} as const;
/** How long a browser may keep a downloaded PDF (spec §9), in seconds. */
export const INVOICE_PDF_CACHE_SECONDS = 3600;

/** Texts of spec §5 and §8 that are not API errors. */
export const INVOICE_TEXTS = {
  created: 'Fattura creata con successo!',
  createUnauthenticated: 'Devi essere autenticato per creare una fattura',
  createRefused: (detail: string) => `Errore nella creazione della fattura: ${detail}`,
  createEmpty: 'Nessun dato ritornato dalla creazione della fattura',
  createFailed: 'Errore durante la creazione della fattura',
  deleted: 'Fattura eliminata con successo!',
  deleteUnauthenticated: 'Devi essere autenticato per eliminare una fattura',
  deleteRefused: (detail: string) => `Errore nell'eliminazione della fattura: ${detail}`,
  deleteFailed: "Errore durante l'eliminazione della fattura",
  changed: ({ amount, status, fileName }: Pick<Invoice, 'amount' | 'status' | 'fileName'>) =>
    `Nel frattempo questa fattura è cambiata: ora è di ${formatEuro(amount)}, ${status}, ${fileName === null ? 'senza PDF' : `con il PDF «${fileName}»`}. Controllala prima di confermare di nuovo.`,
  downloadStarted: (number: string) => `Download della fattura ${number} avviato`,
  downloadFailed: 'Errore durante il download del file',
  fileSelected: 'File PDF selezionato',
  empty: 'Nessuna fattura disponibile.',
  emptyHint: 'Crea una nuova fattura per iniziare.',
} as const;

/** The parts of an invoice's number between which a line may break: prefix and time, then the code. */
export function partsOfNumber(number: string): [time: string, code: string] {
  return [number.slice(0, -8), number.slice(-8)];
}

/** The number of an invoice in a path. */
export const invoiceNumberParam = z.object({ number: z.string().max(40) });

/**
 * For a deletion: the `updatedAt` of the invoice that it started from. Nothing is deleted if the invoice, its state or its
 * PDF was changed after it. Omitted: whatever the invoice is now.
 */
export const invoiceFromSchema = z.object({ from: instantSchema.optional() });

/** `v` identifies a version of the PDF, for caches. */
export const invoiceFileQuerySchema = z.object({ v: z.string().max(40).optional() });

/** Number of invoices and sum of their amounts. */
export const subtotalSchema = z.object({ count: z.number().int(), amount: euroSchema });

/** An invoice as its customer sees it. */
export const invoiceSchema = z.object({
  number: z.string(),
  projectId: z.number().int().nullable(),
  projectName: z.string(),
  amount: euroSchema,
  issueDate: calendarDateSchema,
  dueDate: calendarDateSchema.nullable(),
  status: z.enum(INVOICE_STATUSES),
  description: z.string().nullable(),
  fileName: z.string().nullable(),
  updatedAt: instantSchema,
});
export type Invoice = z.infer<typeof invoiceSchema>;

/** Filters of a list of invoices, its totals and its export. */
export const invoiceFilterSchema = listQuerySchema.pick({ search: true }).extend({
  status: z.enum(INVOICE_FILTERS).optional(),
  projectId: idFilterSchema,
  from: calendarDateSchema.optional(),
  to: calendarDateSchema.optional(),
});
export type InvoiceFilters = z.output<typeof invoiceFilterSchema>;

export const invoiceQuerySchema = listQuerySchema.extend(invoiceFilterSchema.shape);

/** Sums over everything the filters match, independent of the page. */
export const invoiceTotalsSchema = z.object({ amount: euroSchema, paid: euroSchema, unpaid: euroSchema });
export type InvoiceTotals = z.infer<typeof invoiceTotalsSchema>;

export const invoiceListSchema = listSchema(invoiceSchema).extend({ totals: invoiceTotalsSchema });

/** What a customer owes and has spent, up to today (spec §5: future-dated invoices do not count). */
export const invoiceSummarySchema = z.object({
  total: subtotalSchema,
  paid: subtotalSchema,
  unpaid: subtotalSchema,
  overdue: subtotalSchema,
  /** The twelve months up to the current one, oldest first; `month` is yyyy-mm. */
  months: z.array(z.object({ month: z.string(), paid: euroSchema, unpaid: euroSchema })),
  /** All projects with invoices, most expensive first. */
  projects: z.array(
    z.object({
      projectId: z.number().int().nullable(),
      projectName: z.string(),
      /** Null once the project is deleted, like its dates; absent in answers of an older release. */
      location: z.string().nullish(),
      startDate: calendarDateSchema.nullish(),
      endDate: calendarDateSchema.nullish(),
      amount: euroSchema,
    }),
  ),
});
export type InvoiceSummary = z.infer<typeof invoiceSummarySchema>;

export const invoiceExportSchema = invoiceFilterSchema.extend({ format: z.enum(EXPORT_FORMATS) });

/**
 * A date typed as dd/mm/yyyy or sent as yyyy-mm-dd; null when it is neither, so that the rules of spec §5 report it.
 */
function readDate(text: string): CalendarDate | null {
  return isCalendarDate(text) ? text : parseItalianDate(text);
}

/** Fields shared by both variants of the create form (spec §3); strings, because a form sends strings. */
const formFields = {
  projectId: requiredText('Seleziona un progetto', 30).transform((text) =>
    /^\d{1,15}$/.test(text) ? Number(text) : null,
  ),
  amount: requiredText('Importo obbligatorio', 30).transform(parseEuro),
  issueDate: requiredText('Data di emissione obbligatoria', 30).transform(readDate),
  dueDate: optionalText(30).transform((text, context) => {
    if (text === null) return null;
    const date = readDate(text);
    if (date === null) context.addIssue({ code: 'custom', message: dateProblem(text) });
    return date;
  }),
  description: optionalText(MAX_DESCRIPTION_LENGTH),
};

/** 'Nuova Fattura' of an administrator, for their own records (spec §7, the user-side shape). */
export const ownInvoiceFormSchema = z.strictObject(formFields);

/** Input for a new invoice before the rules of spec §5 are applied; null for a value that could not be parsed. */
export type InvoiceDraft = z.output<typeof ownInvoiceFormSchema>;

/** A draft that satisfies the rules. */
export type ValidInvoiceDraft = {
  amount: number;
  issueDate: CalendarDate;
  dueDate: CalendarDate;
};

/** A violated rule: its code, and the field to show it at. */
export type DraftProblem = { code: ErrorCode; field: string };

/** Whether `euro` is in the range of amounts (spec §5): above 0, at most 1,000,000. */
function isInvoiceAmount(euro: number | null): euro is number {
  return euro !== null && euro > 0 && euro <= MAX_INVOICE_EURO;
}

/** First and last issue date allowed by spec §5. */
function issueWindow(today: CalendarDate): { first: CalendarDate; last: CalendarDate } {
  return { first: addYears(today, -3), last: addYears(today, 1) };
}

/** The due date of an invoice whose form has none. */
export function defaultDueDate(issueDate: CalendarDate): CalendarDate {
  return addDays(issueDate, DEFAULT_DUE_DAYS);
}

type Ruled = Pick<InvoiceDraft, 'amount' | 'issueDate' | 'dueDate'>;

/**
 * The rules that a draft violates: 1 and 2 of spec §5 in their order, then the due date. Fields that are undefined are not
 * checked.
 * @param today in Europe/Rome
 * @param kept the issue date that an existing invoice already has, so that it can still be edited years later
 */
export function draftProblems(
  { amount, issueDate, dueDate }: { [Field in keyof Ruled]: Ruled[Field] | undefined },
  today: CalendarDate,
  kept?: CalendarDate,
): DraftProblem[] {
  const { first, last } = issueWindow(today);
  const isOutside = (date: CalendarDate) => date !== kept && (date < first || date > last);
  const problems: DraftProblem[] = [];
  if (amount !== undefined && !isInvoiceAmount(amount)) {
    problems.push({ code: 'invoice_amount', field: 'amount' });
  } else if (amount !== undefined && !hasWholeCents(amount)) {
    problems.push({ code: 'invoice_amount_decimals', field: 'amount' });
  }
  if (issueDate === null || (issueDate !== undefined && isOutside(issueDate))) {
    problems.push({ code: 'invoice_issue_date', field: 'issueDate' });
  }
  if (issueDate && dueDate && dueDate < issueDate) {
    problems.push({ code: 'invoice_due_date', field: 'dueDate' });
  }
  return problems;
}

/** The values of a draft, or the first of its `draftProblems`. */
export function checkDraft(
  draft: Ruled,
  today: CalendarDate,
  kept?: CalendarDate,
): { draft: ValidInvoiceDraft } | { problem: DraftProblem } {
  const [problem] = draftProblems(draft, today, kept);
  if (problem) return { problem };
  // Neither is null, which would be a problem.
  const { amount, issueDate } = draft as ValidInvoiceDraft;
  return { draft: { amount, issueDate, dueDate: draft.dueDate ?? defaultDueDate(issueDate) } };
}

/**
 * Rule 3 of spec §5: a PDF by content, at most 10 MB, not empty.
 * @param file its size in bytes and its first `INVOICE_PDF.headBytes` bytes
 */
export function pdfProblem(file: { size: number; head: Uint8Array }): ErrorCode | null {
  if (file.size === 0) return 'file_empty';
  const head = new TextDecoder('latin1').decode(file.head.subarray(0, INVOICE_PDF.headBytes));
  if (!head.includes(INVOICE_PDF.signature)) return 'file_not_pdf';
  return file.size > INVOICE_PDF.maxBytes ? 'file_too_large' : null;
}

/** Whether an invoice is overdue on `today`. */
export function isOverdue(invoice: Pick<Invoice, 'status' | 'dueDate'>, today: CalendarDate): boolean {
  return invoice.status === 'Da Pagare' && invoice.dueDate !== null && invoice.dueDate < today;
}

/** The sums of a summary or dashboard over `invoices`, none of which is dated in the future. */
export function subtotalsOf(invoices: readonly Invoice[], today: CalendarDate) {
  const subtotal = (counted: readonly Invoice[]) => ({
    count: counted.length,
    amount: sumOfEuro(counted),
  });
  const unpaid = invoices.filter(({ status }) => status === 'Da Pagare');
  return {
    total: subtotal(invoices),
    paid: subtotal(invoices.filter(({ status }) => status === 'Pagata')),
    unpaid: subtotal(unpaid),
    overdue: subtotal(unpaid.filter((invoice) => isOverdue(invoice, today))),
  };
}

const SAMPLE_PREFIX = 'FAT-ESEMPIO-';

/** Whether `number` belongs to a sample invoice, which nobody can change or delete (spec §4). */
export function isSampleInvoice(number: string): boolean {
  return number.startsWith(SAMPLE_PREFIX);
}

/**
 * The four sample invoices shown to a customer who has none (spec §3), dated around `today`. Their amounts add up to
 * what the sample projects have spent.
 */
export function sampleInvoices(today: CalendarDate): Invoice[] {
  const sample = (
    index: number,
    project: keyof typeof SAMPLE_PROJECT_PLACES,
    amount: number,
    daysAgo: number,
    status: InvoiceStatus,
  ): Invoice => {
    const issueDate = addDays(today, -daysAgo);
    const { id: projectId, name: projectName } = SAMPLE_PROJECT_PLACES[project];
    return {
      number: `${SAMPLE_PREFIX}${index}`,
      projectId,
      projectName,
      amount,
      issueDate,
      dueDate: defaultDueDate(issueDate),
      status,
      description: null,
      fileName: null,
      updatedAt: `${issueDate}T08:00:00.000Z`,
    };
  };
  return [
    sample(1, 'running', 6240.5, 3, 'Da Pagare'),
    sample(2, 'running', 12_210, 17, 'Pagata'),
    sample(3, 'done', 18_320, 44, 'Pagata'),
    sample(4, 'done', 11_800, 92, 'Pagata'),
  ];
}
