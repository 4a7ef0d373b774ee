import { useMutation } from '@tanstack/react-query';
import { answer, api } from '#client/lib/api.ts';
import { worded } from '#client/lib/failures.ts';
import type { Attempt } from '#client/lib/idempotency.ts';
import { REQUIREMENTS_TEXTS, type Requirements } from '#contract/requirements.ts';

/** Sends travel requirements; the same attempt sent again stores them once. */
export function useSendRequirements() {
  return useMutation({
    mutationFn: ({ requirements, attempt }: { requirements: Requirements; attempt: Attempt }) =>
      answer(
        api.requirements.$post({ header: { 'idempotency-key': attempt.key }, json: requirements }),
      ).catch((error: unknown) => {
        // Server and network report failures in Italian, so use the wizard's own English text; but the refusal of
        // too many is in English, and says how long to wait.
        throw worded(error, {
          literal: 'too_many_requests',
          failed: REQUIREMENTS_TEXTS.failed,
        });
      }),
  });
}
