import { type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerFile } from '#client/lib/answer-file.ts';
import { answer, api, fileApi, upload } from '#client/lib/api.ts';
import { describedConflict } from '#client/lib/edit-conflict.ts';
import { worded } from '#client/lib/failures.ts';
import type { Attempt } from '#client/lib/idempotency.ts';
import { paramsOf } from '#client/lib/list-params.ts';
import { listQuery } from '#client/lib/list-query.ts';
import { readAgain, refetchAfterWrite } from '#client/lib/refetch-after-write.ts';
import { removingOnce } from '#client/lib/removing-once.ts';
import type { CalendarDate } from '#contract/dates.ts';
import { INVOICE_TEXTS, type Invoice, type InvoiceFilter, invoiceSchema } from '#contract/invoices.ts';
import { EXPORT_TYPES, type ExportFormat } from '#contract/lists.ts';

/** Filters of the customer's list, as strings from the page's URL. */
export type InvoiceListFilters = {
  search?: string | undefined;
  status?: InvoiceFilter | undefined;
  projectId?: string | undefined;
  from?: CalendarDate | undefined;
  to?: CalendarDate | undefined;
};

/** Pages of own invoices, newest first. */
export function invoicesQuery(filters: InvoiceListFilters, limit = 25) {
  return listQuery(['invoices', 'list', filters, limit], (cursor) =>
    answer(api.invoices.$get({ query: paramsOf({ ...filters, limit, cursor }) })),
  );
}

/** Sums by state, month and project. */
export const invoiceSummaryQuery = queryOptions({
  queryKey: ['invoices', 'summary'],
  queryFn: () => answer(api.invoices.summary.$get()),
});

/** Own projects that match `search`, newest first, for selects; without the sample projects. */
export function ownProjectsQuery(search: string) {
  return queryOptions({
    queryKey: ['projects', 'options', search],
    queryFn: () => answer(api.projects.$get({ query: { limit: '50', ...(search && { search }) } })),
    select: ({ items }) => ({ items: items.filter(({ sample }) => !sample) }),
    // Always refetched: the one that is looked for may have been created elsewhere a moment ago.
    staleTime: 0,
  });
}

/** The filtered list as a file. */
export function exportInvoices(filters: InvoiceListFilters, format: ExportFormat): Promise<Blob> {
  return answerFile(
    fileApi.invoices.export.$get({ query: paramsOf({ ...filters, format }) }),
    EXPORT_TYPES[format],
  );
}

/** Where the keys of invoices begin that were read to be selected together: up to ten pages, one after the other. */
export const SELECTED_INVOICES: QueryKey = ['selected-invoices'];

/**
 * Query keys that a change of an invoice affects on other pages; includes the selectable customers and projects, so
 * that deleted ones are no longer offered.
 */
const TOUCHED: QueryKey[] = [
  ['invoices'],
  ['admin-invoices'],
  SELECTED_INVOICES,
  ['projects'],
  ['dashboard'],
  ['customers'],
];

/** Reloads everything that shows invoices or totals. */
export function useInvoicesChanged(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => readAgain(client, ...TOUCHED);
}

/**
 * A mutation that reloads all of that afterwards, even if it failed.
 * @param obsolete the key of what nobody needs any more once it has succeeded
 */
export function useInvoiceChange<Input, Output>(
  mutationFn: (input: Input) => Promise<Output>,
  obsolete?: QueryKey,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled(answer, failure) {
      const needed = TOUCHED.filter((key) => failure || key !== obsolete);
      return refetchAfterWrite(() => readAgain(client, ...needed))(answer, failure);
    },
  });
}

const CREATION = {
  unauthenticated: INVOICE_TEXTS.createUnauthenticated,
  refused: INVOICE_TEXTS.createRefused,
  literal: 'invoice_admin_only',
  failed: INVOICE_TEXTS.createFailed,
} as const;

const DELETION = {
  unauthenticated: INVOICE_TEXTS.deleteUnauthenticated,
  refused: INVOICE_TEXTS.deleteRefused,
  failed: INVOICE_TEXTS.deleteFailed,
} as const;

const deleteInvoice = removingOnce(
  ({ number, updatedAt }: Invoice) =>
    answer(api.invoices[':number'].$delete({ param: { number }, query: { from: updatedAt } })),
  ({ number }) => number,
);

/** Deletes an own invoice; rejects with the text of spec §8, and with a conflict when it has changed by now. */
export const useDeleteInvoice = () =>
  useInvoiceChange((invoice: Invoice) =>
    deleteInvoice(invoice).catch((error: unknown) => {
      throw describedConflict(error, invoiceSchema, INVOICE_TEXTS.changed) ?? worded(error, DELETION);
    }),
  );

/** Creates an invoice for the administrator's own records; rejects with the text of spec §8. */
export async function createOwnInvoice(
  form: FormData,
  attempt: Attempt,
  onProgress: (part: number) => void,
): Promise<Invoice> {
  const created = await upload('POST', '/invoices', form, onProgress, attempt.key).catch((error: unknown) => {
    throw worded(error, CREATION);
  });
  const invoice = invoiceSchema.safeParse(created);
  if (!invoice.success) throw new Error(INVOICE_TEXTS.createEmpty);
  return invoice.data;
}
