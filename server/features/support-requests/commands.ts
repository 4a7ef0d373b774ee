import { randomInt } from 'node:crypto';
import { formatDateTime, withArticle } from '#contract/dates.ts';
import type { SupportRequest } from '#contract/support-requests.ts';
import { provider } from '#provider';
import type { UserId } from '#server/auth/actor.ts';
import { type Attempt, requireCreated } from '#server/db/idempotency.ts';
import { supportRequests } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { managementUrlOf } from '#server/features/trip-requests/commands.ts';
import { queueMail } from '#server/mail/queue.ts';
import { reportBodies } from '#server/mail/report.ts';
import { requesterLines, requesterOf, senderName } from '#server/mail/requester.ts';
import type { Services } from '#server/services.ts';

/** Letters and digits that are not confused when read out on the phone. */
const ALPHABET = 'ACDEFGHJKLMNPQRTUVWXY3479';
const CODE_LENGTH = 7;

/** 'SUP-' and seven characters: six billion combinations, enough to make collisions negligible. */
function newReference(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `SUP-${letters.join('')}`;
}

/**
 * Stores a message to support and queues its e-mail in the same transaction.
 * @param attempt idempotency key: repeats of the same owner are stored and mailed once; null for none
 * @returns the number to quote
 */
export async function createSupportRequest(
  context: Pick<Services, 'env' | 'jobs'>,
  tx: Database,
  owner: UserId,
  request: SupportRequest,
  attempt: Attempt | null,
): Promise<string> {
  const sender = await requesterOf(tx, owner);
  const reference = newReference();
  const [created] = await tx
    .insert(supportRequests)
    .values({ userId: owner, reference, page: request.pagina, message: request.messaggio, ...attempt })
    .onConflictDoNothing({ target: [supportRequests.userId, supportRequests.idempotencyKey] })
    .returning({ at: supportRequests.createdAt });
  if (!created) return (await requireCreated(tx, supportRequests, owner, attempt)).reference;
  const { env, jobs } = context;
  const tripRequest = await managementUrlOf(context, tx, owner, request.pagina ?? '');
  await queueMail(tx, jobs, {
    kind: 'support_request',
    userId: owner,
    recipients: [provider.support.email],
    fromName: senderName(sender),
    replyTo: sender.email,
    subject: `Richiesta di supporto ${reference}`,
    ...reportBodies({
      title: `Richiesta di supporto ${reference}`,
      sections: [
        {
          title: 'Mittente',
          content: [
            ...requesterLines(sender),
            ['Email', sender.email],
            ['Pagina', request.pagina ? `${env.publicUrl}${request.pagina}` : 'non indicata'],
            ...(tripRequest ? [['Richiesta di trasferta', tripRequest] as const] : []),
          ],
        },
        { title: 'Messaggio', content: request.messaggio },
      ],
      footer: `Inviata ${withArticle('il', formatDateTime(created.at))}`,
    }),
  });
  return reference;
}
