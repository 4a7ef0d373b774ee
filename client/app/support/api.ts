import { useMutation } from '@tanstack/react-query';
import { answer, api } from '#client/lib/api.ts';
import { draftKeyOf } from '#client/lib/drafts.ts';
import { creatingOnce } from '#client/lib/idempotency.ts';
import type { SupportRequestInput } from '#contract/support-requests.ts';

const writeToSupport = creatingOnce(
  (header, json: SupportRequestInput) => answer(api['support-requests'].$post({ header, json })),
  () => draftKeyOf('support'),
);

/** Sends a message to support; returns the number to quote. */
export const useWriteToSupport = () => useMutation({ mutationFn: writeToSupport });
