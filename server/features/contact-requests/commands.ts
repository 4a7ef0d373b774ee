import { sql } from 'drizzle-orm';
import type { ContactRequest } from '#contract/contact-requests.ts';
import { contactRequests } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { contactRequestReport } from '#server/mail/contact-request-report.ts';
import { queueMail } from '#server/mail/queue.ts';
import { reportBodies } from '#server/mail/report.ts';
import type { Services } from '#server/services.ts';

/**
 * Stores a visitor's request and queues its message in the same transaction (spec §7). What a robot wrote, told by the
 * honeypot, is dropped without a word.
 */
export async function createContactRequest(
  { env, jobs }: Pick<Services, 'env' | 'jobs'>,
  tx: Database,
  request: ContactRequest,
): Promise<void> {
  if (request.website) return;
  // The id is drawn first: a visitor may leave a request, but not read it back.
  const { rows } = await tx.execute<{ id: string }>(sql`select next_id('contact_requests_seq') as id`);
  await tx.insert(contactRequests).values({
    id: Number(rows[0]?.id),
    firstName: request.nome,
    lastName: request.cognome,
    company: request.azienda,
    phone: request.telefono,
    contactPreference: request.preferenzaContatto,
    message: request.messaggio,
  });
  const name = `${request.nome} ${request.cognome}`;
  await queueMail(tx, jobs, {
    kind: 'contact_request',
    userId: null,
    recipients: env.requestsTo,
    fromName: request.azienda ? `${name} - ${request.azienda}` : name,
    replyTo: request.telefono,
    subject: `Nuova Richiesta di Contatto - ${name}`,
    ...reportBodies(contactRequestReport(request, new Date())),
  });
}
