import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { answerWithJson, api } from '#client/lib/api.ts';
import { draftKeyOf } from '#client/lib/drafts.ts';
import { creatingOnce } from '#client/lib/idempotency.ts';
import type { SupportRequestInput } from '#contract/support-requests.ts';

const writeToSupport = creatingOnce(
  (header, json: SupportRequestInput) => answerWithJson(api['support-requests'].$post({ header, json })),
  () => draftKeyOf('support'),
);

const WRITING = ['support-requests', 'create'];

/**
 * Sends a message to support; returns the number to quote.
 * @param onSent called before the number is returned, also if the page has been left
 */
export const useWriteToSupport = (onSent: () => void) =>
  useMutation({ mutationKey: WRITING, mutationFn: writeToSupport, onSuccess: onSent });

/**
 * Whether a message to support is being sent, possibly from a page that has been left since. The library's hook for this
 * would weigh on every page.
 */
export function useIsWritingToSupport(): boolean {
  const client = useQueryClient();
  return useSyncExternalStore(
    (onChange) => client.getMutationCache().subscribe(onChange),
    () => client.isMutating({ mutationKey: WRITING }) > 0,
  );
}
