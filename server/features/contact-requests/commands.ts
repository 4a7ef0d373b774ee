import { sql } from 'drizzle-orm';
import type { ContactRequest } from '#contract/contact-requests.ts';
import type { Attempt } from '#server/db/idempotency.ts';
import { contactRequests } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import { contactRequestReport } from '#server/mail/contact-request-report.ts';
import { queueMail } from '#server/mail/queue.ts';
import { reportBodies } from '#server/mail/report.ts';
import type { Services } from '#server/services.ts';

/**
 * Stores a visitor's request and queues its message in the same transaction (spec §7). Requests with the honeypot
 * filled in are silently dropped.
 * @param attempt idempotency key: repeats are stored and mailed once; null for none
 * @throws AppError idempotency_key_reused
 */
export async function createContactRequest(
  { env, jobs }: Pick<Services, 'env' | 'jobs'>,
  tx: Database,
  request: ContactRequest,
  attempt: Attempt | null,
): Promise<void> {
  if (request.website) return;
  // The id is fetched first, because a visitor's scope may insert a request but not read it back.
  const { rows } = await tx.execute<{ id: string }>(sql`select next_id('contact_requests_seq') as id`);
  // No conflict target: naming one would require the privilege to read the table.
  const stored = await tx
    .insert(contactRequests)
    .values({
      id: Number(rows[0]?.id),
      firstName: request.nome,
      lastName: request.cognome,
      company: request.azienda,
      phone: request.telefono,
      email: request.email,
      contactPreference: request.preferenzaContatto,
      message: request.messaggio,
      ...attempt,
    })
    .onConflictDoNothing();
  if (stored.rowCount === 0) {
    const { rows: answers } = await tx.execute<{ other: boolean }>(
      sql`select is_other_contact_request(${attempt?.idempotencyKey}, ${attempt?.idempotencyDigest}) as other`,
    );
    if (answers[0]?.other) throw new AppError('idempotency_key_reused');
    return;
  }
  const name = `${request.nome} ${request.cognome}`;
  await queueMail(tx, jobs, {
    kind: 'contact_request',
    userId: null,
    recipients: env.requestsTo,
    fromName: request.azienda ? `${name} - ${request.azienda}` : name,
    // The phone (spec §7), unless there is an e-mail to reply to.
    replyTo: request.email ?? request.telefono,
    subject: `Nuova Richiesta di Contatto - ${name}`,
    ...reportBodies(contactRequestReport(request, new Date())),
  });
}
