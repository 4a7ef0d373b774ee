import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '#client/lib/api.ts';
import { onNewDay } from '#client/lib/new-day.ts';
import { outdating } from '#client/lib/outdating.ts';

/** What Home sums up, and leads to. */
const SUMMED_UP = [['projects'], ['employees'], ['invoices'], ['trip-requests']];

/** Everything Home shows. Fresh at each visit: whatever was changed elsewhere in the application shows here. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ client }) => outdating(client, SUMMED_UP, () => answer(api.dashboard.$get())),
  staleTime: 0,
  refetchOnWindowFocus: onNewDay,
});
