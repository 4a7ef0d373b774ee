import { useMutation } from '@tanstack/react-query';
import { answer, api, failingAs } from '#client/lib/api.ts';
import type { Attempt } from '#client/lib/idempotency.ts';
import { REQUIREMENTS_TEXTS, type Requirements } from '#contract/requirements.ts';

/** Sends travel requirements; the same attempt sent again stores them once. */
export function useSendRequirements() {
  return useMutation({
    mutationFn: ({ requirements, attempt }: { requirements: Requirements; attempt: Attempt }) =>
      failingAs(
        REQUIREMENTS_TEXTS.failed,
        answer(api.requirements.$post({ header: { 'idempotency-key': attempt.key }, json: requirements })),
      ),
  });
}
