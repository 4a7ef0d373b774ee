import {
  addDays,
  addYears,
  type CalendarDate,
  calendarDateSchema,
  instantSchema,
  isCalendarDate,
  parseItalianDate,
} from './dates.ts';
import { SAMPLE_PROJECT_PLACES } from './employees.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { listQuerySchema, listSchema } from './lists.ts';
import { euroSchema, hasWholeCents, parseEuro, sumOfEuro } from './money.ts';
import { optionalText, requiredText, z } from './validation.ts';

/** States of an invoice (spec §4); a new one is to be paid. */
export const INVOICE_STATUSES = ['Da Pagare', 'Pagata'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** What a list can be narrowed to: a state, or the unpaid ones whose due date has passed. */
export const INVOICE_FILTERS = [...INVOICE_STATUSES, 'Scaduta'] as const;
export type InvoiceFilter = (typeof INVOICE_FILTERS)[number];

/** The filter of this name; undefined for anything else. */
export function invoiceFilterOf(text: string | null): InvoiceFilter | undefined {
  return INVOICE_FILTERS.find((filter) => filter === text);
}

/** Largest amount of one invoice, in euro (spec §9). */
const MAX_INVOICE_EURO = 1_000_000;
/** Days from issue to due date when the form names none. */
export const DEFAULT_DUE_DAYS = 30;
/** Invoices in 'Fatture Recenti' (spec §9). */
export const RECENT_INVOICES = 5;
/** The PDF of an invoice (spec §9): its largest size, and where in it the signature has to stand. */
export const INVOICE_PDF = { maxBytes: 10_485_760, headBytes: 1024, signature: '%PDF-' } as const;
/** How long a browser may keep a downloaded PDF (spec §9), in seconds. */
export const INVOICE_PDF_CACHE_SECONDS = 3600;

/** Texts of spec §5 and §8 that are no failure of the API. */
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
  downloadStarted: (number: string) => `Download della fattura ${number} avviato`,
  downloadFailed: 'Errore durante il download del file',
  fileSelected: 'File PDF selezionato',
  empty: 'Nessuna fattura disponibile.',
  emptyHint: 'Crea una nuova fattura per iniziare.',
} as const;

/** Number of an invoice (spec §3): FAT, milliseconds since 1970, eight uppercase letters or digits. */
export const INVOICE_NUMBER = /^FAT\d{13}[A-Z0-9]{8}$/;

/** The parts of an invoice's number, between which it may be broken: prefix and time, then the code. */
export function partsOfNumber(number: string): [time: string, code: string] {
  return [number.slice(0, -8), number.slice(-8)];
}

/** The number of an invoice in a path. */
export const invoiceNumberParam = z.object({ number: z.string().max(40) });

/** How a PDF is asked for: to be saved, or to be shown in the page. */
export const invoiceFileQuerySchema = z.object({
  disposition: z.enum(['attachment', 'inline']).default('attachment'),
  /** Tells one state of the file from the next, for caches. */
  v: z.string().max(40).optional(),
});

/** Counted invoices and the sum of their amounts. */
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

/** What narrows a list of invoices, and its totals and export alike. */
export const invoiceFilterSchema = listQuerySchema.pick({ search: true }).extend({
  status: z.enum(INVOICE_FILTERS).optional(),
  projectId: z.coerce.number().int().optional(),
  from: calendarDateSchema.optional(),
  to: calendarDateSchema.optional(),
});
export type InvoiceFilters = z.output<typeof invoiceFilterSchema>;

export const invoiceQuerySchema = listQuerySchema.extend(invoiceFilterSchema.shape);

/** Sums of everything a filter matches, whatever page is shown. */
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
  /** Every project with invoices, the dearest first. */
  projects: z.array(
    z.object({ projectId: z.number().int().nullable(), projectName: z.string(), amount: euroSchema }),
  ),
});
export type InvoiceSummary = z.infer<typeof invoiceSummarySchema>;

/** Formats of an exported list. */
export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export const invoiceExportSchema = invoiceFilterSchema.extend({ format: z.enum(EXPORT_FORMATS) });

/** A date typed as dd/mm/yyyy or sent as yyyy-mm-dd; null when it is neither, so that the rules of spec §5 can say so. */
function readDate(text: string): CalendarDate | null {
  return isCalendarDate(text) ? text : parseItalianDate(text);
}

/** The fields of the create form (spec §3) that both sides of it share; texts, because a form sends texts. */
const formFields = {
  projectId: requiredText('Seleziona un progetto', 30).transform((text) =>
    /^\d{1,15}$/.test(text) ? Number(text) : null,
  ),
  amount: requiredText('Importo obbligatorio', 30).transform(parseEuro),
  issueDate: requiredText('Data di emissione obbligatoria', 30).transform(readDate),
  dueDate: optionalText(30).transform((text, context) => {
    if (text === null) return null;
    const date = readDate(text);
    if (date === null)
      context.addIssue({ code: 'custom', message: 'Data non valida. Usa il formato gg/mm/aaaa.' });
    return date;
  }),
  description: optionalText(2000),
};

/** 'Nuova Fattura' of an administrator, for records of their own (spec §7, the user-side shape). */
export const ownInvoiceFormSchema = z.strictObject(formFields);

/** What an invoice is made of, before the rules of spec §5: a value that could not be read is null. */
export type InvoiceDraft = z.output<typeof ownInvoiceFormSchema>;

/** A draft whose values stand. */
export type SoundDraft = {
  amount: number;
  issueDate: CalendarDate;
  dueDate: CalendarDate;
};

/** A broken rule: its code, and the field it is shown next to. */
export type DraftProblem = { code: ErrorCode; field: string };

/** Whether `euro` is an amount of spec §5: above 0, at most 1,000,000, no fraction of a cent. */
function isInvoiceAmount(euro: number | null): euro is number {
  return euro !== null && euro > 0 && euro <= MAX_INVOICE_EURO && hasWholeCents(euro);
}

/** First and last issue date that spec §5 allows. */
function issueWindow(today: CalendarDate): { first: CalendarDate; last: CalendarDate } {
  return { first: addYears(today, -3), last: addYears(today, 1) };
}

/** The due date of an invoice whose form named none. */
export function defaultDueDate(issueDate: CalendarDate): CalendarDate {
  return addDays(issueDate, DEFAULT_DUE_DAYS);
}

/**
 * Rules 1 and 2 of spec §5 in their order, then the due date.
 * @param today in Europe/Rome
 * @param kept the issue date that an invoice has already: years later it still may be edited
 */
export function checkDraft(
  draft: Pick<InvoiceDraft, 'amount' | 'issueDate' | 'dueDate'>,
  today: CalendarDate,
  kept?: CalendarDate,
): { draft: SoundDraft } | { problem: DraftProblem } {
  const { amount, issueDate } = draft;
  if (!isInvoiceAmount(amount)) return { problem: { code: 'invoice_amount', field: 'amount' } };
  const { first, last } = issueWindow(today);
  if (issueDate === null || (issueDate !== kept && (issueDate < first || issueDate > last))) {
    return { problem: { code: 'invoice_issue_date', field: 'issueDate' } };
  }
  const dueDate = draft.dueDate ?? defaultDueDate(issueDate);
  if (dueDate < issueDate) return { problem: { code: 'invoice_due_date', field: 'dueDate' } };
  return { draft: { amount, issueDate, dueDate } };
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

/** Whether an invoice should have been paid before `today`. */
export function isOverdue(invoice: Pick<Invoice, 'status' | 'dueDate'>, today: CalendarDate): boolean {
  return invoice.status === 'Da Pagare' && invoice.dueDate !== null && invoice.dueDate < today;
}

/** The Italian text of a broken rule. */
export function problemText(code: ErrorCode): string {
  return ERRORS[code].message;
}

/** The sums of a summary or a dashboard over `invoices`, none of them dated in the future. */
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

/** Whether `number` is that of an example invoice, which nobody can change or delete (spec §4). */
export function isSampleInvoice(number: string): boolean {
  return number.startsWith(SAMPLE_PREFIX);
}

/** The four example invoices shown to a customer who has none (spec §3), dated around `today`. They make up what the
 * example projects have spent. */
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
