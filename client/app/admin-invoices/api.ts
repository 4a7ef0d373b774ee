import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { SELECTED_INVOICES, useInvoiceChange, useInvoicesChanged } from '#client/app/invoices/api.ts';
import { readPdf } from '#client/app/invoices/download.ts';
import { answerFile } from '#client/lib/answer-file.ts';
import { ApiError, answer, api, fileApi, upload } from '#client/lib/api.ts';
import { describedConflict } from '#client/lib/edit-conflict.ts';
import { isGone } from '#client/lib/failures.ts';
import type { Attempt } from '#client/lib/idempotency.ts';
import type { ListPage } from '#client/lib/list-pages.ts';
import { paramsOf } from '#client/lib/list-params.ts';
import { listQuery } from '#client/lib/list-query.ts';
import { removingOnce } from '#client/lib/removing-once.ts';
import {
  ADMIN_INVOICE_TEXTS,
  type AdminInvoice,
  type AdminInvoiceSort,
  adminInvoiceSchema,
  type InvoiceEdit,
  MAX_SELECTED,
} from '#contract/admin-invoices.ts';
import type { CalendarDate } from '#contract/dates.ts';
import { ERRORS } from '#contract/errors.ts';
import {
  INVOICE_TEXTS,
  type Invoice,
  type InvoiceFilter,
  type InvoiceStatus,
  invoiceSchema,
} from '#contract/invoices.ts';
import { EXPORT_TYPES, type ExportFormat, MAX_PAGE_SIZE } from '#contract/lists.ts';

/** Filters and order of the table of all customers' invoices. */
export type AdminFilters = {
  search?: string | undefined;
  status?: InvoiceFilter | undefined;
  userId?: string | undefined;
  file?: 'with' | 'without' | undefined;
  from?: CalendarDate | undefined;
  to?: CalendarDate | undefined;
  sort: AdminInvoiceSort;
  direction: 'asc' | 'desc';
};

/** Pages of all customers' invoices. */
export function adminInvoicesQuery(filters: AdminFilters) {
  return listQuery(['admin-invoices', 'list', filters], (cursor) =>
    answer(api.admin.invoices.$get({ query: paramsOf({ ...filters, cursor }) })),
  );
}

const BY_NUMBER = { sort: 'number', direction: 'asc' } as const;

/**
 * Every invoice that the filters find, or the first of them beyond `MAX_SELECTED`, in a few large pages. By number, which
 * nothing changes: in another order, one that is changed meanwhile could be read twice or not at all.
 */
async function readFound(filters: Omit<AdminFilters, 'sort' | 'direction'>): Promise<AdminInvoice[]> {
  const found: AdminInvoice[] = [];
  let cursor: string | null = null;
  do {
    const query = paramsOf({ ...filters, ...BY_NUMBER, limit: MAX_PAGE_SIZE, cursor });
    const page: ListPage<AdminInvoice> = await answer(api.admin.invoices.$get({ query }));
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && found.length <= MAX_SELECTED);
  return found;
}

/** All invoices of the filters, to select them together. Apart from the list, whose order and pages are the clerk's. */
export function foundInvoicesQuery(filters: Omit<AdminFilters, 'sort' | 'direction'>) {
  return queryOptions({
    queryKey: [...SELECTED_INVOICES, filters],
    queryFn: () => readFound(filters),
    // Of no use to another selection, which needs what there is by then.
    gcTime: 0,
  });
}

/** All customers' invoices with the table's filters and order, as a file. */
export function exportAllInvoices(filters: AdminFilters, format: ExportFormat): Promise<Blob> {
  return answerFile(
    fileApi.admin.invoices.export.$get({ query: { ...paramsOf(filters), format } }),
    EXPORT_TYPES[format],
  );
}

/** Customers that match `search`, the first ones by name; with `invoiceable`, without deleted accounts. */
export function customersQuery(search: string, invoiceable: boolean) {
  return queryOptions({
    queryKey: ['customers', search, { invoiceable }],
    queryFn: () =>
      answer(
        api.admin.customers.$get({
          query: { limit: '20', invoiceable: String(invoiceable), ...(search && { search }) },
        }),
      ),
    // Always refetched: somebody may register while the clerk is on the phone with them.
    staleTime: 0,
  });
}

/** The customer with this id; null when there is none. */
export function customerQuery(id: string) {
  return queryOptions({
    queryKey: ['customers', 'one', id],
    queryFn: async () => (await answer(api.admin.customers.$get({ query: { id } }))).items[0] ?? null,
  });
}

/** Projects of one customer that match `search`, newest first. */
export function customerProjectsQuery(customerId: string, search: string) {
  return queryOptions({
    queryKey: ['customers', customerId, 'projects', search],
    queryFn: () =>
      answer(
        api.admin.customers[':id'].projects.$get({
          param: { id: customerId },
          query: { limit: '50', ...(search && { search }) },
        }),
      ),
    enabled: customerId !== '',
    // Always refetched: the customer creates and deletes projects meanwhile.
    staleTime: 0,
  });
}

/** Invalidates the selectable projects of one customer. */
export function useProjectsChanged(customerId: string): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ['customers', customerId, 'projects'] });
}

/** The history of an invoice. */
export function invoiceEventsQuery(invoice: AdminInvoice) {
  return queryOptions({
    queryKey: ['admin-invoices', 'events', invoice.number, invoice.updatedAt],
    queryFn: () => answer(api.admin.invoices[':number'].events.$get({ param: { number: invoice.number } })),
  });
}

/**
 * Reads the PDF of any invoice; rejects with the text of spec §8, and reloads the lists when the file that they show was
 * deleted by a colleague.
 */
export function useAnyInvoiceFile(): (invoice: AdminInvoice) => Promise<File> {
  const changed = useInvoicesChanged();
  return ({ number, updatedAt, fileName }) =>
    readPdf(
      api.admin.invoices[':number'].file.$get({ param: { number }, query: { v: updatedAt } }),
      fileName,
    ).catch((error: unknown) => {
      if (isGone(error)) void changed();
      throw error;
    });
}

/** The failure of a creation with the text of spec §8; violated rules keep their message and fields. */
function creationFailure(error: unknown): Error {
  if (!(error instanceof ApiError)) return new Error(ADMIN_INVOICE_TEXTS.createUnexpected(String(error)));
  if (error.status === 0) return new Error(ADMIN_INVOICE_TEXTS.createUnexpected(error.message));
  return error.status >= 500 ? new Error(ADMIN_INVOICE_TEXTS.createFailed(error.message)) : error;
}

/** Creates an invoice of any customer. */
export async function createInvoice(
  form: FormData,
  attempt: Attempt,
  onProgress: (part: number) => void,
): Promise<Invoice> {
  const created = await upload('POST', '/admin/invoices', form, onProgress, attempt.key).catch(
    (error: unknown) => {
      throw creationFailure(error);
    },
  );
  const invoice = invoiceSchema.safeParse(created);
  if (!invoice.success) throw new Error(ADMIN_INVOICE_TEXTS.createUnexpected(INVOICE_TEXTS.createEmpty));
  return invoice.data;
}

/** Whether the session has ended, which the shell must be told. */
function hasEnded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether the server gave the reason; otherwise the caller's own text is better. */
function isNamed(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status > 0 && error.code !== 'internal';
}

/** The failure of a change of a PDF: its text of spec §8, or what has become of the PDF meanwhile. */
function fileFailure(error: unknown, failed: string): Error {
  const conflict = describedConflict(error, adminInvoiceSchema, ({ fileName }) =>
    ADMIN_INVOICE_TEXTS.fileChanged(fileName),
  );
  return conflict ?? (isNamed(error) ? error : new Error(failed));
}

/**
 * Adds or replaces the PDF of an invoice; rejects with the text of spec §8, and with a conflict when it has another PDF
 * than `invoice` by now.
 */
export async function uploadInvoiceFile(
  { number, fileUrl }: AdminInvoice,
  file: File,
  onProgress: (part: number) => void,
): Promise<AdminInvoice> {
  const form = new FormData();
  form.append('file', file);
  const path = `/admin/invoices/${number}/file?from=${encodeURIComponent(fileUrl ?? '')}`;
  const changed = await upload('PUT', path, form, onProgress).catch((error: unknown) => {
    throw fileFailure(error, ERRORS.file_upload_failed.message);
  });
  return adminInvoiceSchema.parse(changed);
}

const removeFile = removingOnce(
  ({ number, fileUrl }: AdminInvoice) =>
    answer(api.admin.invoices[':number'].file.$delete({ param: { number }, query: { from: fileUrl ?? '' } })),
  ({ fileUrl }) => fileUrl,
);

/**
 * Removes the PDF of an invoice; rejects with the text of spec §8, and with a conflict when it has another PDF than
 * the invoice by now.
 */
export const useRemoveInvoiceFile = () =>
  useInvoiceChange((invoice: AdminInvoice) =>
    removeFile(invoice).catch((error: unknown) => {
      throw fileFailure(error, ADMIN_INVOICE_TEXTS.fileDeleteFailed);
    }),
  );

/** Changes amount, dates, project and description. */
export const useEditInvoice = () =>
  useInvoiceChange(({ number, edit }: { number: string; edit: InvoiceEdit }) =>
    answer(api.admin.invoices[':number'].$patch({ param: { number }, json: edit })),
  );

type Marking = { numbers: string[]; status: InvoiceStatus; skipDeleted?: boolean };

const setStatus = (marking: Marking) =>
  answer(api.admin.invoices.status.$put({ json: marking })).catch((error: unknown) => {
    if (hasEnded(error)) throw error;
    const answered = error instanceof ApiError && error.status > 0;
    throw new Error(answered ? ADMIN_INVOICE_TEXTS.statusFailed : ADMIN_INVOICE_TEXTS.unexpected);
  });

/** Marks an invoice as paid or unpaid; rejects with the text of spec §8. */
export const useSetStatus = () => useInvoiceChange(setStatus);

/** The same for the selected invoices, which ends the selection: it does not wait until those are read once more. */
export const useSetSelectedStatus = () => useInvoiceChange(setStatus, SELECTED_INVOICES);

const removeInvoice = removingOnce(
  ({ number, updatedAt }: AdminInvoice) =>
    answer(api.admin.invoices[':number'].$delete({ param: { number }, query: { from: updatedAt } })),
  ({ number }) => number,
);

/** Deletes an invoice; rejects with the text of spec §8, and with a conflict when it has changed by now. */
export const useRemoveInvoice = () =>
  useInvoiceChange((invoice: AdminInvoice) =>
    removeInvoice(invoice).catch((error: unknown) => {
      if (hasEnded(error)) throw error;
      const conflict = describedConflict(error, adminInvoiceSchema, INVOICE_TEXTS.changed);
      if (conflict) throw conflict;
      if (!isGone(error)) throw new Error(ADMIN_INVOICE_TEXTS.deleteFailed);
      const { status, code } = error;
      throw new ApiError({ status, code, message: ADMIN_INVOICE_TEXTS.deleteNotFound });
    }),
  );
