import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '#client/lib/api.ts';
import { onNewDay } from '#client/lib/new-day.ts';
import { outdating } from '#client/lib/outdating.ts';

/** The data that Home summarizes and links to. */
const SUMMED_UP = [['projects'], ['employees'], ['invoices'], ['trip-requests']];

/** Everything Home shows. Refetched at each visit, because changes anywhere in the application affect it. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ client }) => outdating(client, SUMMED_UP, () => answer(api.dashboard.$get())),
  staleTime: 0,
  refetchOnWindowFocus: onNewDay,
});
