import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { ApiError, answer, answerFile, api, upload } from '#client/lib/api.ts';
import type { Attempt } from '#client/lib/idempotency.ts';
import { thenRead } from '#client/lib/then-read.ts';
import type { CalendarDate } from '#contract/dates.ts';
import {
  type ExportFormat,
  INVOICE_TEXTS,
  type Invoice,
  type InvoiceFilter,
  invoiceSchema,
} from '#contract/invoices.ts';

/** What narrows the customer's list; texts as they stand in the page's address. */
export type InvoiceListFilters = {
  search?: string | undefined;
  status?: InvoiceFilter | undefined;
  projectId?: string | undefined;
  from?: CalendarDate | undefined;
  to?: CalendarDate | undefined;
};

/** The filters that say something: an empty one is no parameter. */
export function queryOf<Filters extends { [name in keyof Filters]: string | undefined }>(
  filters: Filters,
): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value)) as Filters;
}

/** Pages of own invoices, newest first. */
export function invoicesQuery(filters: InvoiceListFilters, limit = 25) {
  return infiniteQueryOptions({
    queryKey: ['invoices', 'list', filters, limit],
    queryFn: ({ pageParam }) =>
      answer(
        api.invoices.$get({
          query: { ...queryOf(filters), limit: String(limit), ...(pageParam && { cursor: pageParam }) },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** Sums by state, month and project. */
export const invoiceSummaryQuery = queryOptions({
  queryKey: ['invoices', 'summary'],
  queryFn: () => answer(api.invoices.summary.$get()),
});

/** Own projects that `search` finds, newest first, to choose one from: no examples. */
export function ownProjectsQuery(search: string) {
  return queryOptions({
    queryKey: ['projects', 'options', search],
    queryFn: () => answer(api.projects.$get({ query: { limit: '50', ...(search && { search }) } })),
    select: ({ items }) => ({ items: items.filter(({ sample }) => !sample) }),
  });
}

/** The PDF of an own invoice. */
export function downloadInvoice(invoice: Invoice): Promise<Blob> {
  return answerFile(
    api.invoices[':number'].file.$get({
      param: { number: invoice.number },
      // A replaced file has another address, so that none is shown from the browser's cache.
      query: { v: invoice.updatedAt },
    }),
  );
}

/** The filtered list as a file. */
export function exportInvoices(filters: InvoiceListFilters, format: ExportFormat): Promise<Blob> {
  return answerFile(api.invoices.export.$get({ query: { ...queryOf(filters), format } }));
}

/** What an invoice changes on other pages. */
const TOUCHED = ['invoices', 'admin-invoices', 'projects', 'dashboard'];

/** Has everything that shows invoices or totals loaded again. */
export function useInvoicesChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () =>
    client.invalidateQueries({ predicate: ({ queryKey }) => TOUCHED.includes(String(queryKey[0])) });
}

/** Whether the server refused, rather than failed. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

/** Deletes an own invoice; rejects with the text of spec §8. */
export function useDeleteInvoice() {
  const changed = useInvoicesChanged();
  return useMutation({
    mutationFn: async (number: string) => {
      try {
        await answer(api.invoices[':number'].$delete({ param: { number } }));
      } catch (error) {
        if (!isRefusal(error)) throw new Error(INVOICE_TEXTS.deleteFailed);
        const { status, code } = error;
        const message =
          status === 401 ? INVOICE_TEXTS.deleteUnauthenticated : INVOICE_TEXTS.deleteRefused(error.message);
        throw new ApiError({ status, code, message });
      }
    },
    onSettled: thenRead(changed),
  });
}

/** The failure of a creation in the words of spec §8, with the fields it names. */
function creationFailure(error: unknown): Error {
  if (!isRefusal(error)) return new Error(INVOICE_TEXTS.createFailed);
  const message =
    error.status === 401
      ? INVOICE_TEXTS.createUnauthenticated
      : error.code === 'invoice_admin_only'
        ? error.message
        : INVOICE_TEXTS.createRefused(error.message);
  return new ApiError({ status: error.status, code: error.code, message, fields: error.fields });
}

/** Creates an invoice for the administrator's own records; rejects with the text of spec §8. */
export async function createOwnInvoice(
  form: FormData,
  attempt: Attempt,
  onProgress: (part: number) => void,
): Promise<Invoice> {
  const created = await upload('POST', '/invoices', form, onProgress, attempt.key).catch((error: unknown) => {
    throw creationFailure(error);
  });
  const invoice = invoiceSchema.safeParse(created);
  if (!invoice.success) throw new Error(INVOICE_TEXTS.createEmpty);
  return invoice.data;
}
