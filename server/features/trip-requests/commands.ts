import { and, eq } from 'drizzle-orm';
import type { StateChange, TripRequest, TripRequestState } from '#contract/trip-requests.ts';
import { provider } from '#provider';
import type { UserId } from '#server/auth/actor.ts';
import { type Attempt, requireCreated, requireSameContent } from '#server/db/idempotency.ts';
import { tripRequestEvents, tripRequests } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import { queueMail } from '#server/mail/queue.ts';
import { reportBodies } from '#server/mail/report.ts';
import { requesterOf, senderName } from '#server/mail/requester.ts';
import {
  confirmationReport,
  newRequestReport,
  stateChangeReport,
  withdrawalReport,
} from '#server/mail/trip-request-report.ts';
import type { Services } from '#server/services.ts';
import { canWithdraw } from './policy.ts';
import { findProjectByName, findTripRequest } from './queries.ts';

type Context = Pick<Services, 'env' | 'jobs'>;
type Row = typeof tripRequests.$inferSelect;

const CUSTOMER_PATH = '/app/nuova-trasferta/richieste';

/** The page of a request for its customer. */
function customerUrl({ env }: Pick<Services, 'env'>, id: number): string {
  return `${env.publicUrl}${CUSTOMER_PATH}/${id}`;
}

/** The page of a request for the provider. */
function managementUrl({ env }: Pick<Services, 'env'>, id: number): string {
  return `${env.publicUrl}/app/gestione-richieste/${id}`;
}

/**
 * The provider's page of the request that `owner` sees at `path`, which the provider cannot open; null for any other
 * path, and for a request that is not theirs.
 */
export async function managementUrlOf(
  context: Pick<Services, 'env'>,
  db: Database,
  owner: UserId,
  path: string,
): Promise<string | null> {
  const [, id] = new RegExp(`^${CUSTOMER_PATH}/(\\d{1,15})$`).exec(path) ?? [];
  const request = id && (await findTripRequest(db, owner, Number(id)));
  return request ? managementUrl(context, request.id) : null;
}

/** What a form says, as columns. */
function columnsOf(request: TripRequest) {
  return {
    city: request.citta,
    position: request.posizione,
    startDate: request.dataInizio,
    endDate: request.dataFine,
    projectName: request.progetto,
    reason: request.ragione,
    people: request.numeroDipendenti,
    accommodation: request.alloggio,
    accommodationPreference: request.preferenzaAlloggio,
    roomsSingle: request.camere.singole,
    roomsDouble: request.camere.doppie,
    roomsSuite: request.camere.suite,
    breakfast: request.requisiti.colazione,
    laundry: request.requisiti.lavanderia,
    parking: request.requisiti.parcheggio,
    kitchen: request.requisiti.cucina,
    budget: request.budget,
    budgetNote: request.budgetNote,
    priority: request.priorita,
    otherRequests: request.altreRichieste,
    phone: request.telefono,
    email: request.email,
  };
}

/**
 * Stores a request of `owner` and queues its messages in the same transaction (spec §4, §7): one to the provider, and a
 * copy to the requester.
 * @param attempt idempotency key: repeats of the same owner create one request; null for none
 * @returns the id of the request
 */
export async function createTripRequest(
  context: Context,
  tx: Database,
  owner: UserId,
  request: TripRequest,
  attempt: Attempt | null,
): Promise<number> {
  const requester = await requesterOf(tx, owner);
  const projectId = await findProjectByName(tx, owner, request.progetto, request.projectId);
  const [created] = await tx
    .insert(tripRequests)
    .values({ ...columnsOf(request), userId: owner, projectId, ...attempt })
    .onConflictDoNothing({ target: [tripRequests.userId, tripRequests.idempotencyKey] })
    .returning({ id: tripRequests.id, createdAt: tripRequests.createdAt });
  if (!created) return (await requireCreated(tx, tripRequests, owner, attempt)).id;

  const { id, createdAt } = created;
  await tx
    .insert(tripRequestEvents)
    .values({ tripRequestId: id, userId: owner, actorId: owner, state: 'Inviata' });
  const asked = `${request.citta} (${request.progetto})`;
  await queueMail(tx, context.jobs, {
    kind: 'trip_request',
    userId: owner,
    recipients: context.env.requestsTo,
    fromName: senderName(requester),
    replyTo: request.email,
    subject: `Nuova Richiesta Trasferta - ${asked}`,
    ...reportBodies(newRequestReport(request, requester, createdAt, managementUrl(context, id))),
  });
  await queueMail(tx, context.jobs, {
    kind: 'trip_request_confirmation',
    userId: owner,
    recipients: [request.email],
    fromName: provider.name,
    replyTo: provider.support.email,
    subject: `Abbiamo ricevuto la richiesta - ${asked}`,
    ...reportBodies(confirmationReport(request, requester, createdAt, customerUrl(context, id))),
  });
  return id;
}

async function setState(
  tx: Database,
  request: Row,
  actor: UserId,
  change: { state: TripRequestState; note: string | null },
  attempt: Attempt | null = null,
): Promise<Date> {
  const at = new Date();
  await tx
    .update(tripRequests)
    .set({ state: change.state, updatedAt: at })
    .where(and(eq(tripRequests.id, request.id), eq(tripRequests.userId, request.userId)));
  await tx.insert(tripRequestEvents).values({
    tripRequestId: request.id,
    userId: request.userId,
    actorId: actor,
    at,
    ...change,
    ...attempt,
  });
  return at;
}

function inBrief(row: Row) {
  return {
    citta: row.city,
    progetto: row.projectName,
    dataInizio: row.startDate,
    dataFine: row.endDate,
    numeroDipendenti: row.people,
  };
}

/**
 * Withdraws a request of `owner`: sets its state to 'Annullata' and notifies the provider.
 * @throws AppError not_found, trip_request_withdrawn when it is 'Annullata' already, trip_request_not_withdrawable
 */
export async function withdrawTripRequest(
  context: Context,
  tx: Database,
  owner: UserId,
  id: number,
  note: string | null,
): Promise<void> {
  const [request] = await tx
    .select()
    .from(tripRequests)
    .where(and(eq(tripRequests.id, id), eq(tripRequests.userId, owner)))
    .for('update');
  if (!request) throw new AppError('not_found');
  if (request.state === 'Annullata') throw new AppError('trip_request_withdrawn');
  if (!canWithdraw(request.state)) throw new AppError('trip_request_not_withdrawable');
  const at = await setState(tx, request, owner, { state: 'Annullata', note });
  const requester = await requesterOf(tx, owner);
  await queueMail(tx, context.jobs, {
    kind: 'trip_request_withdrawal',
    userId: owner,
    recipients: context.env.requestsTo,
    fromName: senderName(requester),
    replyTo: request.email,
    subject: `Richiesta Trasferta annullata - ${request.city} (${request.projectName})`,
    ...reportBodies(withdrawalReport(inBrief(request), requester, note, at, managementUrl(context, id))),
  });
}

/**
 * Whether `attempt` has already changed `request`, which must be locked.
 * @throws AppError idempotency_key_reused when its key was used for another change
 */
async function isMadeBefore(tx: Database, request: Row, attempt: Attempt | null): Promise<boolean> {
  if (attempt === null) return false;
  const [made] = await tx
    .select({ idempotencyDigest: tripRequestEvents.idempotencyDigest })
    .from(tripRequestEvents)
    .where(
      and(
        eq(tripRequestEvents.tripRequestId, request.id),
        eq(tripRequestEvents.userId, request.userId),
        eq(tripRequestEvents.idempotencyKey, attempt.idempotencyKey),
      ),
    );
  if (!made) return false;
  requireSameContent(attempt, made);
  return true;
}

/**
 * Sets the state of any customer's request, as the administrator `actor`, and mails the requester. The unchanged state
 * with a note is a message to the customer.
 * @param tx in the scope of an administrator
 * @param attempt idempotency key: repeats for the same request are recorded and mailed once; null for none
 * @throws AppError not_found, idempotency_key_reused, trip_request_unchanged, conflict when the state is no longer
 *   `change.from`
 */
export async function changeTripRequestState(
  context: Context,
  tx: Database,
  actor: UserId,
  id: number,
  change: StateChange,
  attempt: Attempt | null,
): Promise<void> {
  const [request] = await tx.select().from(tripRequests).where(eq(tripRequests.id, id)).for('update');
  if (!request) throw new AppError('not_found');
  if (await isMadeBefore(tx, request, attempt)) return;
  if (request.state !== change.from) throw new AppError('conflict');
  if (request.state === change.state && !change.note) throw new AppError('trip_request_unchanged');
  const at = await setState(tx, request, actor, { state: change.state, note: change.note }, attempt);
  const asked = `richiesta per ${request.city} (${request.projectName})`;
  await queueMail(tx, context.jobs, {
    kind: 'trip_request_state',
    userId: request.userId,
    recipients: [request.email],
    fromName: provider.name,
    replyTo: provider.support.email,
    subject: change.state === change.from ? `Un messaggio sulla ${asked}` : `${change.state}: la ${asked}`,
    ...reportBodies(stateChangeReport(inBrief(request), change, at, customerUrl(context, id))),
  });
}
