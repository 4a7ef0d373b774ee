import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '#client/lib/api.ts';
import { onNewDay } from '#client/lib/new-day.ts';
import { outdating } from '#client/lib/outdating.ts';
import type { TripRequestState } from '#contract/trip-requests.ts';

/** The data that Home summarizes and links to. */
const SUMMED_UP = [['projects'], ['employees'], ['invoices'], ['trip-requests']];

/** Everything Home shows. Refetched at each visit, because changes anywhere in the application affect it. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ client }) => outdating(client, SUMMED_UP, () => answer(api.dashboard.$get())),
  staleTime: 0,
  refetchOnWindowFocus: onNewDay,
});

/** How many requests and messages wait for the provider (role admin). A change to a request outdates its key. */
export const toManageQuery = queryOptions({
  queryKey: ['managed-trip-requests', 'count'],
  queryFn: async () => {
    const requests = (state: TripRequestState) =>
      answer(api.admin['trip-requests'].$get({ query: { state, limit: '1' } }));
    const [sent, inProgress, mail] = await Promise.all([
      requests('Inviata'),
      requests('In lavorazione'),
      answer(api.admin['mail-messages'].$get({ query: { limit: '1' } })),
    ]);
    return { sent: sent.total, inProgress: inProgress.total, undelivered: mail.total };
  },
  staleTime: 0,
});
