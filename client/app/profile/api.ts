import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { answer, api, failingAs, fileApi } from '#client/lib/api.ts';
import { refetchAfterWrite } from '#client/lib/refetch-after-write.ts';
import { meQuery } from '#client/lib/session.ts';
import { PROFILE_TEXTS, type ProfileChanges } from '#contract/profile.ts';
import type { BothFactors } from '#contract/two-factor.ts';

/** The devices the account is signed in on. Never taken from the cache: a device that just left must not stay in sight. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => answer(api.auth.sessions.$get()),
  staleTime: 0,
});

/** The ways the account can be entered. */
export const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: () => answer(api.auth.identities.$get()),
});

/** Whether the account is known to have no password: it is entered with codes. */
export const useLacksPassword = (): boolean => useQuery(identitiesQuery).data?.length === 0;

/**
 * A mutation after which the account is asked for again, also when it failed: a device may be gone already. An administrator
 * is one of the users that they manage.
 */
function useAccountMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: refetchAfterWrite(() =>
      Promise.all([
        client.invalidateQueries({ queryKey: meQuery.queryKey }),
        client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['users'] }),
      ]),
    ),
  });
}

/** Saves the fields of the profile that changed. */
export const useSaveProfile = () =>
  useAccountMutation((json: ProfileChanges) =>
    failingAs(PROFILE_TEXTS.unexpected, answer(api.me.$patch({ json }))),
  );

/** Replaces the profile picture. */
export const useUploadPicture = () =>
  useAccountMutation((file: File) => {
    const body = new FormData();
    body.set('file', file);
    return answer(fileApi.me.picture.$put({}, { init: { body } }));
  });

/** Sets a new password and ends every other session. Fails with `wrong_password` or `password_missing`. */
export const useChangePassword = () =>
  useAccountMutation((json: { currentPassword: string; password: string }) =>
    answer(api.auth.password.$put({ json })),
  );

/** Asks for the mail whose link confirms the account's address. */
export const useSendVerification = () =>
  useMutation({ mutationFn: () => answer(api.auth['email-verifications'].$post()) });

/** Asks for the mail whose link sets a password. */
export const useRequestPasswordLink = () =>
  useMutation({ mutationFn: (email: string) => answer(api.auth.recoveries.$post({ json: { email } })) });

/** Checks the password of the account that is signed in. Fails with `wrong_password` or `password_missing`. */
export const useReauthenticate = () =>
  useMutation({
    mutationFn: (password: string) => answer(api.auth.reauthentications.$post({ json: { password } })),
  });

/** Signs one device out, by the id of its session. */
export const useEndSession = () =>
  useAccountMutation((id: string) => answer(api.auth.sessions[':id'].$delete({ param: { id } })));

/** Signs out every device but this one. */
export const useEndOtherSessions = () =>
  useAccountMutation(() => answer(api.auth.logout.$post({ query: { scope: 'others' } })));

/** Starts to set up the second factor: gives the app's secret and the recovery codes. Off until `useConfirmTwoFactor`. */
export const useEnrol = () =>
  useMutation({
    mutationFn: (password: string) => answer(api.auth['two-factor'].$post({ json: { password } })),
  });

/** Switches the second factor on with the app's first code. */
export const useConfirmTwoFactor = () =>
  useAccountMutation((code: string) =>
    answer(api.auth['two-factor'].confirmations.$post({ json: { code } })),
  );

/** Switches the second factor off: takes the password and a code. */
export const useDisableTwoFactor = () =>
  useAccountMutation((json: BothFactors) => answer(api.auth['two-factor'].$delete({ json })));

/** Makes new recovery codes in place of the old ones: takes the password and a code. */
export const useRenewRecoveryCodes = () =>
  useMutation({
    mutationFn: (json: BothFactors) => answer(api.auth['two-factor']['recovery-codes'].$post({ json })),
  });

/** Whether the account's data may be downloaded now. */
export const useDataAvailability = () =>
  useMutation({ mutationFn: () => answer(api.me.data.availability.$get()) });

/** Signs out every device, this one included. */
export const useEndAllSessions = () =>
  useMutation({ mutationFn: () => answer(api.auth.logout.$post({ query: { scope: 'global' } })) });

/** Deletes the account that is signed in: takes its password. */
export const useDeleteAccount = () =>
  useMutation({ mutationFn: (password: string) => answer(api.me.$delete({ json: { password } })) });
