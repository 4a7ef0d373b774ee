import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { provider } from '#provider';
import type { UserId } from '#server/auth/actor.ts';
import { mailMessages } from '#server/db/schema.ts';
import { type Database, readAs, SYSTEM, transaction } from '#server/db/scope.ts';
import type { Jobs } from '#server/jobs/boss.ts';
import type { MailMessage, MailTransport } from './message.ts';

const MESSAGE_DOMAIN = provider.mailFrom.replace(/^.*@|>$/g, '');

/** A message to be sent, without what the queue adds. `userId` is whose data it carries; null for a visitor's. */
export type Outgoing = Omit<MailMessage, 'messageId'> & { kind: string; userId: UserId | null };

/** Header values on one line: what a person typed into a name or city must not start another header. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Queues a message in the transaction `tx`, with the job that sends it: both exist if and only if `tx` commits, so that
 * no accepted request goes unsent.
 */
export async function queueMail(tx: Database, jobs: Jobs, message: Outgoing): Promise<void> {
  const messageId = `<${randomUUID()}@${MESSAGE_DOMAIN}>`;
  // The id is drawn first: the insert policy lets a customer queue a message, but not read it back.
  const { rows } = await tx.execute<{ id: string }>(sql`select next_id('mail_messages_seq') as id`);
  const id = Number(rows[0]?.id);
  await tx.insert(mailMessages).values({
    id,
    messageId,
    kind: message.kind,
    userId: message.userId,
    recipients: [...message.recipients],
    fromName: message.fromName && oneLine(message.fromName),
    replyTo: message.replyTo && oneLine(message.replyTo),
    subject: oneLine(message.subject),
    bodyText: message.text,
    bodyHtml: message.html,
  });
  await jobs.send(tx, 'mail', { id });
}

/** Sends queued messages as their jobs come up. A failure is retried by the queue; the last one leaves the message 'failed'. */
export async function startMailWorker(
  pool: Pool,
  jobs: Jobs,
  transport: MailTransport,
  log: Logger,
): Promise<void> {
  await jobs.work<{ id: number }>('mail', async ({ id }, { last }) => {
    const [row] = await readAs(pool, SYSTEM).select().from(mailMessages).where(eq(mailMessages.id, id));
    if (!row || row.state === 'sent') return;
    try {
      await transport.send({ ...row, text: row.bodyText, html: row.bodyHtml });
    } catch (error) {
      const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown';
      await transaction(pool, SYSTEM, async (tx) => {
        await tx
          .update(mailMessages)
          .set({
            attempts: sql`${mailMessages.attempts} + 1`,
            lastError: reason,
            state: last ? 'failed' : 'queued',
          })
          .where(eq(mailMessages.id, id));
      });
      log.warn({ mail: id, kind: row.kind, last }, 'mail not sent');
      throw error;
    }
    await transaction(pool, SYSTEM, async (tx) => {
      await tx
        .update(mailMessages)
        .set({
          attempts: sql`${mailMessages.attempts} + 1`,
          state: 'sent',
          sentAt: new Date(),
          lastError: null,
        })
        .where(eq(mailMessages.id, id));
    });
    log.info({ mail: id, kind: row.kind }, 'mail sent');
  });
}
