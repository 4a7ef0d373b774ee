import { and, asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type {
  ManagedTripRequestDetail,
  ManagedTripRequestQuery,
  ManagedTripRequestSummary,
  OwnTripRequestQuery,
  TripRequestDetail,
  TripRequestEvent,
  TripRequestQuery,
  TripRequestSummary,
} from '#contract/trip-requests.ts';
import type { UserId } from '#server/auth/actor.ts';
import { afterCursor, literalLimit, newestFirst, orderBy, type Page, pageOf } from '#server/db/keyset.ts';
import {
  allProfiles,
  allTripRequests,
  profiles,
  projects,
  tripRequestEvents,
  tripRequests,
} from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { containsEachWord, containsFolded, foundWithCustomers } from '#server/db/search.ts';
import { customerColumns } from '#server/features/customers/queries.ts';
import { canWithdraw } from './policy.ts';

type Row = typeof tripRequests.$inferSelect;

const id = sql`${tripRequests.id}`;
const NEWEST_FIRST = newestFirst(id);

function presentSummary(row: Row): TripRequestSummary {
  return {
    id: row.id,
    state: row.state,
    citta: row.city,
    progetto: row.projectName,
    dataInizio: row.startDate,
    dataFine: row.endDate,
    numeroDipendenti: row.people,
    createdAt: row.createdAt.toISOString(),
  };
}

function presentDetail(row: Row, events: TripRequestEvent[]): TripRequestDetail {
  return {
    ...presentSummary(row),
    posizione: row.position,
    ragione: row.reason,
    projectId: row.projectId,
    alloggio: row.accommodation,
    preferenzaAlloggio: row.accommodationPreference,
    camere: { singole: row.roomsSingle, doppie: row.roomsDouble, suite: row.roomsSuite },
    requisiti: {
      colazione: row.breakfast,
      lavanderia: row.laundry,
      parcheggio: row.parking,
      cucina: row.kitchen,
    },
    budget: row.budget,
    budgetNote: row.budgetNote,
    priorita: row.priority,
    altreRichieste: row.otherRequests,
    telefono: row.phone,
    email: row.email,
    events,
    canWithdraw: canWithdraw(row.state),
  };
}

/** @param searched condition that matches the searched text */
function matching(
  { search, state }: TripRequestQuery,
  searched: (search: string) => SQL | undefined,
): SQL | undefined {
  return and(state && eq(tripRequests.state, state), search ? searched(search) : undefined);
}

/** Whether a request of the table or view `table` contains a word. */
function holds(table: SQL, word: string): SQL {
  return sql`${table}.search_text like ${containsFolded(word)}`;
}

/** The project of a customer's own request; more conditions can be appended. */
const ITS_PROJECT = sql`${projects} where ${projects.id} = ${tripRequests.projectId}
  and ${projects.userId} = ${tripRequests.userId}`;

/** Whether a customer's own request contains a word, which may also be in the present name of its project. */
export function ownRequestHolds(word: string): SQL {
  return sql`(${holds(sql`${tripRequests}`, word)} or exists (
    select from ${ITS_PROJECT} and fold(${projects.name}) like ${containsFolded(word)}))`;
}

/** The project of a customer's own request in one line: its name as sent, and the present one where that is another. */
export const OWN_REQUEST_PROJECT = sql`${tripRequests.projectName} || coalesce((
  select ' (ora ' || ${projects.name} || ')' from ${ITS_PROJECT}
    and fold(${projects.name}) <> fold(${tripRequests.projectName})), '')`;

/**
 * Whether a request belongs to the owner's project `projectId`, or was sent with its name when there was no such project
 * yet.
 */
function isOfProject(owner: UserId, projectId: number): SQL {
  const name = sql`(select fold(${projects.name}) from ${projects}
    where ${projects.id} = ${projectId} and ${projects.userId} = ${owner})`;
  return sql`(${tripRequests.projectId} = ${projectId}
    or ${tripRequests.projectId} is null and fold(${tripRequests.projectName}) = ${name})`;
}

/** The requests of `owner`, newest first. */
export async function listTripRequests(
  db: Database,
  owner: UserId,
  query: OwnTripRequestQuery,
): Promise<Page<TripRequestSummary>> {
  const filter = and(
    eq(tripRequests.userId, owner),
    query.projectId === undefined ? undefined : isOfProject(owner, query.projectId),
    matching(query, (search) => containsEachWord(search, ownRequestHolds)),
  );
  const counted = db.select({ total: sql`count(*)::int` }).from(tripRequests).where(filter);
  const rows = await db
    .select({ ...getTableColumns(tripRequests), total: sql<number>`(${counted})` })
    .from(tripRequests)
    .where(and(filter, afterCursor(NEWEST_FIRST, id, query.cursor)))
    .orderBy(orderBy(NEWEST_FIRST, id))
    .limit(query.limit + 1);
  return pageOf(db, rows, query, {
    ordering: NEWEST_FIRST,
    counted,
    none: 0,
    positionOf: (row) => ({ value: String(row.id), id: row.id }),
    present: presentSummary,
  });
}

/** All customers' requests, newest first, for the administrator; the search also covers the customer. */
export async function listManagedTripRequests(
  db: Database,
  query: ManagedTripRequestQuery,
): Promise<Page<ManagedTripRequestSummary>> {
  const customer = query.userId as UserId | undefined;
  const filter = and(
    customer === undefined ? undefined : eq(tripRequests.userId, customer),
    matching(
      query,
      (search) =>
        sql`${tripRequests.id} in (${sql.join(
          foundWithCustomers('all_trip_requests', search, (word) => holds(sql`found`, word)),
          sql` union `,
        )})`,
    ),
  );
  const counted =
    query.search || customer !== undefined
      ? db.select({ total: sql`count(*)::int` }).from(allTripRequests).where(filter)
      : db
          .select({ total: sql<number>`coalesce(sum(count), 0)::int` })
          .from(sql`trip_request_counts`)
          .where(query.state && sql`state = ${query.state}`);
  const rows = await db
    .select({
      request: getTableColumns(tripRequests),
      customer: customerColumns,
      total: sql<number>`(${counted})`,
    })
    .from(allTripRequests)
    .innerJoin(allProfiles, eq(profiles.id, tripRequests.userId))
    .where(and(filter, afterCursor(NEWEST_FIRST, id, query.cursor)))
    .orderBy(orderBy(NEWEST_FIRST, id))
    .limit(literalLimit(query.limit + 1));
  return pageOf(db, rows, query, {
    ordering: NEWEST_FIRST,
    counted,
    none: 0,
    positionOf: ({ request }) => ({ value: String(request.id), id: request.id }),
    present: (row) => ({ ...presentSummary(row.request), customer: row.customer }),
  });
}

async function findEvents(db: Database, owner: UserId, requestId: number): Promise<TripRequestEvent[]> {
  const rows = await db
    .select({ event: tripRequestEvents, authorName: profiles.fullName })
    .from(tripRequestEvents)
    // Row-level security shows customers only the name of their own account.
    .leftJoin(profiles, eq(profiles.id, tripRequestEvents.actorId))
    .where(and(eq(tripRequestEvents.tripRequestId, requestId), eq(tripRequestEvents.userId, owner)))
    .orderBy(asc(tripRequestEvents.id));
  return rows.map(({ event, authorName }) => ({
    at: event.at.toISOString(),
    state: event.state,
    note: event.note,
    author: event.actorId === event.userId ? 'customer' : 'provider',
    authorName,
  }));
}

/** A request of `owner`; null when they have none with this id. */
export async function findTripRequest(
  db: Database,
  owner: UserId,
  requestId: number,
): Promise<TripRequestDetail | null> {
  const [row] = await db
    .select({ request: tripRequests, projectName: projects.name })
    .from(tripRequests)
    .leftJoin(projects, and(eq(projects.id, tripRequests.projectId), eq(projects.userId, owner)))
    .where(and(eq(tripRequests.id, requestId), eq(tripRequests.userId, owner)));
  if (!row) return null;
  const events = await findEvents(db, owner, requestId);
  return { ...presentDetail(row.request, events), projectName: row.projectName };
}

/** Any customer's request, for the administrator; null when there is none with this id. */
export async function findManagedTripRequest(
  db: Database,
  requestId: number,
): Promise<ManagedTripRequestDetail | null> {
  const [row] = await db
    .select({ request: tripRequests, customer: customerColumns })
    .from(tripRequests)
    .innerJoin(profiles, eq(profiles.id, tripRequests.userId))
    .where(eq(tripRequests.id, requestId));
  if (!row) return null;
  const events = await findEvents(db, row.request.userId, requestId);
  return { ...presentDetail(row.request, events), customer: row.customer };
}

/**
 * The project of `owner` with this name, ignoring case and accents, locked against deletion until the transaction ends;
 * null when there is none.
 * @param meant which one of several; otherwise it is the newest
 */
export async function findProjectByName(
  tx: Database,
  owner: UserId,
  name: string,
  meant: number | undefined,
): Promise<number | null> {
  // Normalized like `requiredLine` does for input, because earlier releases stored whitespace as typed.
  const stored = sql`trim(regexp_replace(${projects.name}, '[\\s\\u00a0]+', ' ', 'g'))`;
  const [row] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.userId, owner), sql`fold(${stored}) = fold(${name})`))
    .orderBy(...(meant === undefined ? [] : [desc(eq(projects.id, meant))]), desc(projects.id))
    .limit(1)
    .for('key share');
  return row?.id ?? null;
}
