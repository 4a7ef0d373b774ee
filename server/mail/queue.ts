import { randomUUID } from 'node:crypto';
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { UserId } from '#server/auth/actor.ts';
import { mailMessages } from '#server/db/schema.ts';
import { type Database, readAs, SYSTEM, transaction } from '#server/db/scope.ts';
import type { Jobs } from '#server/jobs/boss.ts';
import { ACCOUNT_MAIL, usefulMinutes } from './account-kinds.ts';
import { deliveryFailure, refusal } from './failure-words.ts';
import type { MailMessage, MailTransport } from './message.ts';

/** A message to send, without what the queue adds. */
export type Outgoing = Omit<MailMessage, 'messageId' | 'date' | 'pendingRecipients'> & {
  /** Its kind in one word, for the log; those of account messages limit who reads it and until when it is sent. */
  kind: string;
  /** Whose data it contains; null for a visitor's. */
  userId: UserId | null;
};

/** Header values on one line: user input in a name or city must not start another header. */
function headerLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/**
 * Queues a message in the transaction `tx`, with the job that sends it: both exist if and only if `tx` commits, so that
 * no accepted request goes unsent.
 */
export async function queueMail(tx: Database, jobs: Jobs, message: Outgoing): Promise<void> {
  // The id is drawn beforehand, because the insert policy lets a customer queue a message but not read it back.
  const { rows } = await tx.execute<{ id: string }>(sql`select next_id('mail_messages_seq') as id`);
  const id = Number(rows[0]?.id);
  const recipients = [...message.recipients];
  await tx.insert(mailMessages).values({
    id,
    messageId: randomUUID(),
    kind: message.kind,
    userId: message.userId,
    recipients,
    pendingRecipients: recipients,
    fromName: message.fromName && headerLine(message.fromName),
    replyTo: message.replyTo && headerLine(message.replyTo),
    subject: headerLine(message.subject),
    bodyText: message.text,
    bodyHtml: message.html,
  });
  await jobs.send(tx, 'mail', { id });
}

/**
 * Retries a message that was given up, on an administrator's request: same message, same Message-ID.
 * @param tx in the scope of an administrator
 * @returns false when the message is not among those given up
 */
export async function resendMail(tx: Database, jobs: Jobs, id: number): Promise<boolean> {
  const given = await tx
    .update(mailMessages)
    .set({ state: 'queued' })
    .where(and(eq(mailMessages.id, id), eq(mailMessages.state, 'failed')))
    .returning({ id: mailMessages.id });
  if (given.length === 0) return false;
  await jobs.send(tx, 'mail', { id });
  return true;
}

/**
 * Queues a new job for every waiting message, after a restore, which restores messages but no jobs.
 * @param tx in the scope of the system
 * @returns how many messages
 */
export async function requeueMail(tx: Database, jobs: Jobs): Promise<number> {
  const waiting = await tx
    .select({ id: mailMessages.id })
    .from(mailMessages)
    .where(eq(mailMessages.state, 'queued'));
  for (const { id } of waiting) await jobs.send(tx, 'mail', { id });
  return waiting.length;
}

/** Marks a message as failed. The text of an account message is deleted, because it contains a link or code. */
async function giveUp(pool: Pool, id: number): Promise<void> {
  const leadsIn = sql`starts_with(${mailMessages.kind}, ${ACCOUNT_MAIL})`;
  await transaction(pool, SYSTEM, async (tx) => {
    await tx
      .update(mailMessages)
      .set({
        state: 'failed',
        bodyText: sql`case when ${leadsIn} then '' else ${mailMessages.bodyText} end`,
        bodyHtml: sql`case when ${leadsIn} then null else ${mailMessages.bodyHtml} end`,
      })
      .where(and(eq(mailMessages.id, id), eq(mailMessages.state, 'queued')));
  });
}

async function deliver(pool: Pool, transport: MailTransport, log: Logger, id: number): Promise<void> {
  const [row] = await readAs(pool, SYSTEM)
    .select({
      ...getTableColumns(mailMessages),
      age: sql<number>`extract(epoch from now() - ${mailMessages.createdAt})::float8 / 60`,
    })
    .from(mailMessages)
    .where(eq(mailMessages.id, id));
  if (!row || row.state === 'sent') return;
  if (row.age > (usefulMinutes(row.kind) ?? Number.POSITIVE_INFINITY)) {
    await giveUp(pool, id);
    log.warn({ mail: id, kind: row.kind }, 'mail expired');
    return;
  }

  const record = (outcome: Partial<typeof mailMessages.$inferInsert>) =>
    transaction(pool, SYSTEM, async (tx) => {
      await tx
        .update(mailMessages)
        .set({ attempts: sql`${mailMessages.attempts} + 1`, ...outcome })
        .where(eq(mailMessages.id, id));
    });

  let refused: readonly string[];
  try {
    refused = await transport.send({
      ...row,
      date: row.createdAt,
      text: row.bodyText,
      html: row.bodyHtml,
    });
  } catch (error) {
    await record(deliveryFailure(error));
    throw error;
  }
  if (refused.length > 0) {
    await record({ pendingRecipients: [...refused], ...refusal(refused) });
    throw new Error('mail refused for some recipients');
  }
  const forgotten = row.kind.startsWith(ACCOUNT_MAIL) ? { bodyText: '', bodyHtml: null } : {};
  await record({
    state: 'sent',
    sentAt: new Date(),
    pendingRecipients: [],
    lastError: null,
    lastErrorDetails: null,
    ...forgotten,
  });
  log.info({ mail: id, kind: row.kind }, 'mail sent');
}

/**
 * Sends queued messages as their jobs come up. A message that failed every attempt, or became useless meanwhile, ends
 * as 'failed'.
 */
export async function startMailWorker(
  pool: Pool,
  jobs: Jobs,
  transport: MailTransport,
  log: Logger,
): Promise<void> {
  await jobs.work<{ id: number }>('mail', ({ id }) => deliver(pool, transport, log, id));
  await jobs.work<{ id: number }>('undelivered', async ({ id }) => {
    await giveUp(pool, id);
    log.error({ mail: id }, 'mail given up');
  });
}
