import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, answerWithJson, api, withFailureText } from '#client/lib/api.ts';
import { creatingOnce } from '#client/lib/idempotency.ts';
import { paramsOf } from '#client/lib/list-params.ts';
import { listQuery } from '#client/lib/list-query.ts';
import { readAgain, refetchAfterWrite } from '#client/lib/refetch-after-write.ts';
import { removingOnce } from '#client/lib/removing-once.ts';
import { type NewUser, USERS_TEXTS, type UserChanges } from '#contract/users.ts';

const KEY = 'users';

/** Filters of the list: a search, and the one account it is limited to. */
export type Filter = { search: string; id?: string | undefined };

/** Accounts, newest first, page by page. */
export const usersQuery = (filter: Filter) => ({
  ...listQuery([KEY, 'list', filter], (cursor) =>
    answer(api.users.$get({ query: paramsOf({ ...filter, cursor }) })),
  ),
  // Always refetched, because people register meanwhile.
  staleTime: 0,
});

/** One of the accounts, which names a filter. */
export function userQuery(id: string) {
  return queryOptions({
    queryKey: [KEY, 'one', id],
    queryFn: () => answer(api.users[':id'].$get({ param: { id } })),
  });
}

/**
 * A mutation that refetches the accounts afterwards, even if it failed, because somebody else may have changed the account
 * first.
 */
function useUsersMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: refetchAfterWrite(() => readAgain(client, [KEY])),
  });
}

const createUser = creatingOnce((header, json: NewUser) =>
  withFailureText(USERS_TEXTS.createFailed, answerWithJson(api.users.$post({ header, json }))),
);

/** Creates an account for somebody. */
export const useCreateUser = () => useUsersMutation(createUser);

/** Changes what an administrator may change: name, company, role, suspension. */
export const useChangeUser = () =>
  useUsersMutation(({ id, ...json }: UserChanges & { id: string }) =>
    answer(api.users[':id'].$patch({ param: { id }, json })),
  );

/** Mails somebody the link that sets a new password. */
export const useSendRecovery = () =>
  useUsersMutation((id: string) => answer(api.users[':id'].recoveries.$post({ param: { id } })));

const deleteUser = removingOnce((id: string) => answer(api.users[':id'].$delete({ param: { id } })));

/** Deletes an account, by its id. */
export const useDeleteUser = () => useUsersMutation(deleteUser);
