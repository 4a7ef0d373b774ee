import { customerParam, customerSchema } from './customers.ts';
import { calendarDateSchema, instantSchema } from './dates.ts';
import { figure } from './figures.ts';
import {
  INVOICE_STATUSES,
  type InvoiceStatus,
  invoiceFilterSchema,
  invoiceNumberParam,
  invoiceSchema,
  invoiceTotalsSchema,
  ownInvoiceFormSchema,
} from './invoices.ts';
import { EXPORT_FORMATS, listQuerySchema, listSchema } from './lists.ts';
import { requiredText, z } from './validation.ts';

/** The most invoices that one action can mark. */
export const MAX_SELECTED = 1000;

/** Texts of spec §2 and §8 (Invoices, admin) that are not API errors. */
export const ADMIN_INVOICE_TEXTS = {
  empty: 'Nessuna fattura trovata',
  denied: 'Accesso Negato',
  deniedDetail: 'Non hai i permessi per accedere a questa sezione.',
  createFailed: (detail: string) => `Errore durante la creazione della fattura: ${detail}`,
  createUnexpected: (detail: string) => `Errore imprevisto durante la creazione della fattura: ${detail}`,
  statusChanged: (status: InvoiceStatus) => `Stato fattura aggiornato a: ${status}`,
  tooMany: `Al massimo ${figure(MAX_SELECTED)} fatture alla volta`,
  statusFailed: "Errore durante l'aggiornamento dello stato",
  unexpected: 'Errore imprevisto',
  uploaded: 'File caricato con successo!',
  downloaded: 'File scaricato con successo!',
  fileDeleted: 'File eliminato con successo!',
  fileDeleteFailed: "Errore durante l'eliminazione del file",
  deleted: 'Fattura eliminata con successo.',
  deleteNotFound: 'Errore nel recupero delle informazioni della fattura',
  deleteFailed: "Errore durante l'eliminazione della fattura",
  fileChanged: (fileName: string | null) =>
    fileName === null
      ? 'Nel frattempo il PDF di questa fattura è stato eliminato. Se vuoi caricare il tuo, conferma di nuovo.'
      : `Nel frattempo il PDF di questa fattura è cambiato: ora è «${fileName}». Controllalo prima di confermare di nuovo.`,
} as const;

/** An invoice as the invoice administrator sees it. */
export const adminInvoiceSchema = invoiceSchema.extend({
  userId: z.string(),
  customer: customerSchema,
  /** Incremented by each edit; an edit sends the version it started from. */
  version: z.number().int(),
  /** Where the PDF is stored, unique to each upload; null without one. A change of the PDF sends it as `from`. */
  fileUrl: z.string().nullable(),
});
export type AdminInvoice = z.infer<typeof adminInvoiceSchema>;

/** Columns that the table can be sorted by. */
export const ADMIN_INVOICE_SORTS = [
  'number',
  'customer',
  'project',
  'issueDate',
  'amount',
  'status',
] as const;
export type AdminInvoiceSort = (typeof ADMIN_INVOICE_SORTS)[number];

export const adminInvoiceQuerySchema = listQuerySchema
  .extend(invoiceFilterSchema.omit({ projectId: true }).shape)
  .extend({
    userId: customerParam.shape.id.optional(),
    file: z.enum(['with', 'without']).optional(),
    sort: z.enum(ADMIN_INVOICE_SORTS).default('issueDate'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  });
export type AdminInvoiceQuery = z.output<typeof adminInvoiceQuerySchema>;

/** Filters, order and format of an export; the filters and order are those of the table. */
export const adminInvoiceExportSchema = adminInvoiceQuerySchema
  .omit({ limit: true, cursor: true })
  .extend({ format: z.enum(EXPORT_FORMATS) });

/** The most matches of a searched text that are counted and summed while the user waits. */
export const MAX_COUNTED = 10_000;

/** `totals` is null when a searched text has more than {@link MAX_COUNTED} matches; `total` is then that number. */
export const adminInvoiceListSchema = listSchema(adminInvoiceSchema).extend({
  totals: invoiceTotalsSchema.nullable(),
});

/** 'Crea Nuova Fattura' (spec §3, Admin invoice form), in the order in which its fields are read. */
export const adminInvoiceFormSchema = z.strictObject({
  userId: requiredText('Seleziona un utente', 100),
  ...ownInvoiceFormSchema.shape,
});

/** 'Modifica': amount, dates, project and description of an invoice. `projectId` null leaves it without a project. */
export const invoiceEditSchema = z.strictObject({
  version: z.int(),
  projectId: z.int().nullable(),
  amount: z.number('Importo obbligatorio'),
  issueDate: calendarDateSchema,
  dueDate: calendarDateSchema.nullable(),
  description: ownInvoiceFormSchema.shape.description,
});
export type InvoiceEdit = z.output<typeof invoiceEditSchema>;

/**
 * For a change of an invoice's PDF: the `fileUrl` that it started from, empty for none. Nothing is changed if the invoice
 * has another PDF by now. Omitted: whichever PDF it has.
 */
export const invoiceFileFromSchema = z.object({ from: z.string().max(200).optional() });

/**
 * A new state for several invoices, all or none. With `skipDeleted`, for a change that takes another one back, those that
 * were deleted meanwhile are left out.
 */
export const invoiceStatusSchema = z.strictObject({
  numbers: z
    .array(invoiceNumberParam.shape.number)
    .min(1, 'Seleziona almeno una fattura')
    .max(MAX_SELECTED, ADMIN_INVOICE_TEXTS.tooMany),
  status: z.enum(INVOICE_STATUSES),
  skipDeleted: z.boolean().default(false),
});

/** The result: the new state, which invoices, and how many, were in another state before, and how many were deleted. */
export const invoiceStatusChangeSchema = z.object({
  status: z.enum(INVOICE_STATUSES),
  changed: z.number().int(),
  /** Absent in answers of an older release. */
  numbers: z.array(z.string()).optional(),
  /** Absent in answers of an older release. */
  deleted: z.number().int().optional(),
});

/** Actions recorded in an invoice's history. */
export const INVOICE_ACTIONS = [
  'created',
  'updated',
  'status',
  'file_uploaded',
  'file_replaced',
  'file_deleted',
  'deleted',
] as const;

/** An entry of an invoice's history. `actor` is the full name of who acted; null when the product itself did. */
export const invoiceEventSchema = z.object({
  id: z.number().int(),
  at: instantSchema,
  action: z.enum(INVOICE_ACTIONS),
  actor: z.string().nullable(),
  /** What changed: field → [before, after]; or the facts of the action. */
  detail: z.record(z.string(), z.unknown()),
});
export type InvoiceEvent = z.infer<typeof invoiceEventSchema>;

export const invoiceEventListSchema = z.object({ items: z.array(invoiceEventSchema) });
