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

export const useSaveProfile = () =>
  useAccountMutation((json: ProfileChanges) =>
    failingAs(PROFILE_TEXTS.unexpected, answer(api.me.$patch({ json }))),
  );

export const useUploadPicture = () =>
  useAccountMutation((file: File) => {
    const body = new FormData();
    body.set('file', file);
    return answer(fileApi.me.picture.$put({}, { init: { body } }));
  });

export const useChangePassword = () =>
  useAccountMutation((json: { currentPassword: string; password: string }) =>
    answer(api.auth.password.$put({ json })),
  );

export const useSendVerification = () =>
  useMutation({ mutationFn: () => answer(api.auth['email-verifications'].$post()) });

/** Asks for the mail whose link sets a password. */
export const useRequestPasswordLink = () =>
  useMutation({ mutationFn: (email: string) => answer(api.auth.recoveries.$post({ json: { email } })) });

export const useReauthenticate = () =>
  useMutation({
    mutationFn: (password: string) => answer(api.auth.reauthentications.$post({ json: { password } })),
  });

export const useEndSession = () =>
  useAccountMutation((id: string) => answer(api.auth.sessions[':id'].$delete({ param: { id } })));

export const useEndOtherSessions = () =>
  useAccountMutation(() => answer(api.auth.logout.$post({ query: { scope: 'others' } })));

export const useEnrol = () =>
  useMutation({
    mutationFn: (password: string) => answer(api.auth['two-factor'].$post({ json: { password } })),
  });

export const useConfirmTwoFactor = () =>
  useAccountMutation((code: string) =>
    answer(api.auth['two-factor'].confirmations.$post({ json: { code } })),
  );

export const useDisableTwoFactor = () =>
  useAccountMutation((json: BothFactors) => answer(api.auth['two-factor'].$delete({ json })));

export const useRenewRecoveryCodes = () =>
  useMutation({
    mutationFn: (json: BothFactors) => answer(api.auth['two-factor']['recovery-codes'].$post({ json })),
  });

/** Whether the account's data may be downloaded now. */
export const useDataAvailability = () =>
  useMutation({ mutationFn: () => answer(api.me.data.availability.$get()) });

export const useEndAllSessions = () =>
  useMutation({ mutationFn: () => answer(api.auth.logout.$post({ query: { scope: 'global' } })) });

export const useDeleteAccount = () =>
  useMutation({ mutationFn: (password: string) => answer(api.me.$delete({ json: { password } })) });
