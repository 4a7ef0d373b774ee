import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api, fileApi, withFailureText } from '#client/lib/api.ts';
import { sendingFile } from '#client/lib/chosen-file.ts';
import { isRefused } from '#client/lib/failures.ts';
import { paramsOf } from '#client/lib/list-params.ts';
import { listQuery } from '#client/lib/list-query.ts';
import { readAgain, refetchAfterWrite } from '#client/lib/refetch-after-write.ts';
import { expectEnd, meQuery } from '#client/lib/session.ts';
import { PROFILE_TEXTS, type ProfileChanges, UNCONFIRMED_CHANGES } from '#contract/profile.ts';
import type { BothFactors, Ownership } from '#contract/two-factor.ts';

/** How many sessions are shown at first: this one, which the server lists first, and the most recently used. */
export const IN_SIGHT = 5;

/** The sessions of the account. Never taken from the cache, because an ended session must not be shown. */
export const sessionsQuery = {
  ...listQuery(['sessions'], (cursor) =>
    answer(
      api.auth.sessions.$get({
        query: paramsOf({ cursor, limit: cursor === undefined ? IN_SIGHT : undefined }),
      }),
    ),
  ),
  staleTime: 0,
  gcTime: 0,
};

/** The account's identities. */
export const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: () => answer(api.auth.identities.$get()),
});

/** Whether the account is known to have no password and logs in with mailed codes. */
export const useLacksPassword = (): boolean => useQuery(identitiesQuery).data?.length === 0;

/**
 * A mutation that refetches the account afterwards, even if it failed: a session may have ended already. Also refetches
 * the users, because an administrator is one of them.
 */
function useAccountMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: refetchAfterWrite(() =>
      readAgain(client, meQuery.queryKey, sessionsQuery.queryKey, ['users']),
    ),
  });
}

/**
 * Awaits a change that ends this session or replaces its cookie. If the response is lost, the cookie here may no longer
 * be valid, and the login that follows says `unheard`.
 */
async function endingSession<Answer>(unheard: string, call: Promise<Answer>): Promise<Answer> {
  try {
    const answered = await call;
    expectEnd(null);
    return answered;
  } catch (error) {
    if (!isRefused(error)) expectEnd(unheard);
    throw error;
  }
}

/** Saves the changed fields of the profile. */
export const useSaveProfile = () =>
  useAccountMutation((json: ProfileChanges) =>
    withFailureText(PROFILE_TEXTS.unexpected, answer(api.me.$patch({ json }))),
  );

/** Replaces the profile picture. */
export const useUploadPicture = () =>
  useAccountMutation((file: File) => {
    const body = new FormData();
    body.set('file', file);
    return sendingFile(file, answer(fileApi.me.picture.$put({}, { init: { body } })));
  });

/** Sets a new password and ends all other sessions. Fails with `wrong_password` or `password_missing`. */
export const useChangePassword = () =>
  useAccountMutation((json: { currentPassword: string; password: string }) =>
    endingSession(UNCONFIRMED_CHANGES.password, answer(api.auth.password.$put({ json }))),
  );

/** Requests the mail with the link that confirms the account's address. */
export const useSendVerification = () =>
  useMutation({ mutationFn: () => answer(api.auth['email-verifications'].$post()) });

/** Requests the mail with the link that sets a password. */
export const useRequestPasswordLink = () =>
  useMutation({ mutationFn: (email: string) => answer(api.auth.recoveries.$post({ json: { email } })) });

/** Verifies the password of the signed-in account. Fails with `wrong_password` or `password_missing`. */
export const useReauthenticate = () =>
  useMutation({
    mutationFn: (password: string) => answer(api.auth.reauthentications.$post({ json: { password } })),
  });

/** Ends one session, by its id. */
export const useEndSession = () =>
  useAccountMutation((id: string) => answer(api.auth.sessions[':id'].$delete({ param: { id } })));

/** Ends all sessions but this one. */
export const useEndOtherSessions = () =>
  useAccountMutation(() => answer(api.auth.logout.$post({ query: { scope: 'others' } })));

/**
 * Starts setting up the second factor: returns the app's secret and the recovery codes. Inactive until
 * `useConfirmTwoFactor`.
 */
export const useEnrol = () =>
  useMutation({
    mutationFn: (password: string) => answer(api.auth['two-factor'].$post({ json: { password } })),
  });

/** Activates the second factor with the app's first code. */
export const useConfirmTwoFactor = () =>
  useAccountMutation((code: string) =>
    endingSession(
      UNCONFIRMED_CHANGES.twoFactorOn,
      answer(api.auth['two-factor'].confirmations.$post({ json: { code } })),
    ),
  );

/** Switches the second factor off; requires the password and a code. */
export const useDisableTwoFactor = () =>
  useAccountMutation((json: BothFactors) =>
    endingSession(UNCONFIRMED_CHANGES.twoFactorOff, answer(api.auth['two-factor'].$delete({ json }))),
  );

/** Creates new recovery codes that replace the old ones; requires the password and a code. */
export const useRenewRecoveryCodes = () =>
  useMutation({
    mutationFn: (json: BothFactors) => answer(api.auth['two-factor']['recovery-codes'].$post({ json })),
  });

/** Whether the account's data may be downloaded now. */
export const useDataAvailability = () =>
  useMutation({ mutationFn: () => answer(api.me.data.availability.$get()) });

/** Ends all sessions, including this one. */
export const useEndAllSessions = () =>
  useMutation({ mutationFn: () => answer(api.auth.logout.$post({ query: { scope: 'global' } })) });

/** Deletes the signed-in account; requires its password and, where the second factor is on, a code. */
export const useDeleteAccount = () =>
  useMutation({
    mutationFn: (json: Ownership) =>
      endingSession(UNCONFIRMED_CHANGES.deletion, answer(api.me.$delete({ json }))),
  });
