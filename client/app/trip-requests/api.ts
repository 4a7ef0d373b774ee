import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, answerWithJson, api, withFailureText } from '#client/lib/api.ts';
import type { Attempt } from '#client/lib/idempotency.ts';
import { paramsOf } from '#client/lib/list-params.ts';
import { listQuery } from '#client/lib/list-query.ts';
import { outdating } from '#client/lib/outdating.ts';
import { readAgain, refetchAfterWrite } from '#client/lib/refetch-after-write.ts';
import { MAX_PAGE_SIZE } from '#contract/lists.ts';
import {
  type StateChange,
  TRIP_REQUEST_TEXTS,
  type TripRequestDetail,
  type TripRequestInput,
  type TripRequestState,
} from '#contract/trip-requests.ts';

/** Filters of a list of requests. */
export type Filter = { search: string; state: TripRequestState | null };
/** Filters of a customer's own list. */
export type OwnFilter = Filter & { projectId: number | undefined };
/** Filters of the administrator's list. */
export type ManagedFilter = Filter & { userId: string | undefined };

const KEY = 'trip-requests';
const LISTS = [KEY, 'list'] as const;
const MANAGED_KEY = 'managed-trip-requests';

/** The customer's own requests, page by page. */
export function tripRequestsQuery(filter: OwnFilter) {
  return listQuery([...LISTS, filter], (cursor) =>
    answer(api['trip-requests'].$get({ query: paramsOf({ ...filter, cursor }) })),
  );
}

/** Names of the customer's projects, for the wizard's suggestions; without the sample projects. */
export const projectNamesQuery = queryOptions({
  queryKey: ['projects', 'names'],
  queryFn: async () => {
    const { items } = await answer(api.projects.$get({ query: { limit: String(MAX_PAGE_SIZE) } }));
    return [...new Set(items.filter(({ sample }) => !sample).map(({ name }) => name))];
  },
});

/** One of the customer's projects, which names a filter. */
export function projectQuery(id: number) {
  return queryOptions({
    queryKey: ['projects', 'one', id],
    queryFn: () => answer(api.projects[':id'].$get({ param: { id: String(id) } })),
  });
}

/** One of the customer's requests. */
export function tripRequestQuery(id: string) {
  return queryOptions({
    queryKey: [KEY, 'detail', id],
    queryFn: ({ client }) =>
      outdating(client, [LISTS], () => answer(api['trip-requests'][':id'].$get({ param: { id } }))),
    // Always refetched, because the provider changes it meanwhile.
    staleTime: 0,
  });
}

/** Every customer's requests, page by page, for the administrator. */
export function managedTripRequestsQuery(filter: ManagedFilter) {
  return {
    ...listQuery([MANAGED_KEY, 'list', filter], (cursor) =>
      answer(api.admin['trip-requests'].$get({ query: paramsOf({ ...filter, cursor }) })),
    ),
    staleTime: 0,
  };
}

/** Any customer's request, for the administrator. */
export function managedTripRequestQuery(id: string) {
  return queryOptions({
    queryKey: [MANAGED_KEY, 'detail', id],
    queryFn: () => answer(api.admin['trip-requests'][':id'].$get({ param: { id } })),
    staleTime: 0,
  });
}

/** A mutation that refetches what shows requests afterwards, even if it failed: its answer may have been lost. */
function useChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: refetchAfterWrite(() => readAgain(client, [KEY], [MANAGED_KEY], ['dashboard'])),
  });
}

/** Sends a request; repeats of the same attempt create one request. */
export function useSendTripRequest() {
  return useChange(
    ({ request, attempt }: { request: TripRequestInput; attempt: Attempt }): Promise<TripRequestDetail> =>
      withFailureText(
        TRIP_REQUEST_TEXTS.kept,
        answerWithJson(
          api['trip-requests'].$post({ header: { 'idempotency-key': attempt.key }, json: request }),
        ),
      ),
  );
}

/** Withdraws one of the customer's requests. */
export function useWithdrawTripRequest() {
  return useChange(({ id, note }: { id: number; note: string }) =>
    answer(api['trip-requests'][':id'].withdrawal.$post({ param: { id: String(id) }, json: { note } })),
  );
}

/** Sets the state of a request as administrator; repeats of the same attempt notify the customer once. */
export function useChangeTripRequestState() {
  return useChange(({ id, change, attempt }: { id: number; change: StateChange; attempt: Attempt }) =>
    answer(
      api.admin['trip-requests'][':id']['state-changes'].$post({
        param: { id: String(id) },
        header: { 'idempotency-key': attempt.key },
        json: change,
      }),
    ),
  );
}
