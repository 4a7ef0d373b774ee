import { type Requirements, startProblem } from '#contract/requirements.ts';
import type { UserId } from '#server/auth/actor.ts';
import { type Attempt, requireCreated } from '#server/db/idempotency.ts';
import { requirements } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import { queueMail } from '#server/mail/queue.ts';
import { reportBodies } from '#server/mail/report.ts';
import { requesterOf, senderName } from '#server/mail/requester.ts';
import { requirementsReport } from '#server/mail/requirements-report.ts';
import type { Services } from '#server/services.ts';

/**
 * Stores travel requirements of `owner` and queues their message in the same transaction.
 * @param attempt idempotency key: repeats of the same owner are stored and mailed once; null for none
 * @throws AppError invalid_input when the start has passed, idempotency_key_reused
 */
export async function createRequirements(
  { env, jobs }: Pick<Services, 'env' | 'jobs'>,
  tx: Database,
  owner: UserId,
  content: Requirements,
  attempt: Attempt | null,
): Promise<void> {
  const requester = await requesterOf(tx, owner);
  const [created] = await tx
    .insert(requirements)
    .values({ userId: owner, content, ...attempt })
    .onConflictDoNothing({ target: [requirements.userId, requirements.idempotencyKey] })
    .returning({ createdAt: requirements.createdAt });
  if (!created) {
    await requireCreated(tx, requirements, owner, attempt);
    return;
  }
  // Only now: those stored before midnight may be sent again after it.
  const passed = startProblem(content.startDate);
  if (passed !== null) throw new AppError('invalid_input', { startDate: passed });
  await queueMail(tx, jobs, {
    kind: 'requirements',
    userId: owner,
    recipients: env.requestsTo,
    fromName: senderName(requester),
    replyTo: requester.email,
    subject: `Travel Requirements - ${content.destination}`,
    ...reportBodies(requirementsReport(content, requester, created.createdAt)),
  });
}
