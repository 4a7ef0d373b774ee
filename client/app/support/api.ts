import { useMutation } from '@tanstack/react-query';
import { answer, api } from '#client/lib/api.ts';
import type { SupportRequestInput } from '#contract/support-requests.ts';

/** Writes to support; answers the number to quote. */
export function useWriteToSupport() {
  return useMutation({
    mutationFn: (request: SupportRequestInput) => answer(api['support-requests'].$post({ json: request })),
  });
}
