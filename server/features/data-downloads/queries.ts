import { and, asc, eq, inArray, not, sql } from 'drizzle-orm';
import type { UserId } from '#server/auth/actor.ts';
import {
  assignmentPeriods,
  auditEvents,
  employeeStatusChanges,
  employees,
  invoiceEvents,
  invoices,
  mailMessages,
  offerSolutions,
  offers,
  profiles,
  projectAssignments,
  projects,
  requirements,
  supportRequests,
  tripRequestEvents,
  tripRequests,
} from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { ACCOUNT_MAIL } from '#server/mail/account-kinds.ts';

/** Where the current file of an invoice of `userId` is; null without one. */
export async function findOwnInvoiceFile(
  db: Database,
  userId: UserId,
  number: string,
): Promise<string | null> {
  const [row] = await db
    .select({ fileUrl: invoices.fileUrl })
    .from(invoices)
    .where(and(eq(invoices.userId, userId), eq(invoices.invoiceNumber, number)));
  return row?.fileUrl ?? null;
}

/**
 * All data stored about an account, for the person (GDPR art. 15 and 20), with the column names as keys. Child records
 * are looked up by their parent: with an index by owner, the planner could use it for look-ups by parent and read all
 * of the owner's rows each time.
 */
export async function findOwnData(db: Database, userId: UserId) {
  const ofEmployees = db.select({ id: employees.id }).from(employees).where(eq(employees.userId, userId));
  const ofRequests = db
    .select({ id: tripRequests.id })
    .from(tripRequests)
    .where(eq(tripRequests.userId, userId));
  const ofOffers = db.select({ id: offers.id }).from(offers).where(inArray(offers.tripRequestId, ofRequests));
  const [
    [profile],
    ownProjects,
    ownEmployees,
    assignments,
    periods,
    statusChanges,
    ownInvoices,
    requests,
    requestEvents,
    ownOffers,
    solutions,
    ownRequirements,
    support,
    security,
    history,
  ] = await Promise.all([
    db.select().from(profiles).where(eq(profiles.id, userId)),
    db.select().from(projects).where(eq(projects.userId, userId)).orderBy(asc(projects.id)),
    db.select().from(employees).where(eq(employees.userId, userId)).orderBy(asc(employees.id)),
    db.select().from(projectAssignments).where(inArray(projectAssignments.employeeId, ofEmployees)),
    db.select().from(assignmentPeriods).where(inArray(assignmentPeriods.employeeId, ofEmployees)),
    db.select().from(employeeStatusChanges).where(eq(employeeStatusChanges.userId, userId)),
    db.select().from(invoices).where(eq(invoices.userId, userId)).orderBy(asc(invoices.id)),
    db.select().from(tripRequests).where(eq(tripRequests.userId, userId)).orderBy(asc(tripRequests.id)),
    db.select().from(tripRequestEvents).where(inArray(tripRequestEvents.tripRequestId, ofRequests)),
    db.select().from(offers).where(inArray(offers.tripRequestId, ofRequests)).orderBy(asc(offers.id)),
    db
      .select()
      .from(offerSolutions)
      .where(inArray(offerSolutions.offerId, ofOffers))
      .orderBy(asc(offerSolutions.id)),
    db.select().from(requirements).where(eq(requirements.userId, userId)).orderBy(asc(requirements.id)),
    db.select().from(supportRequests).where(eq(supportRequests.userId, userId)),
    db.select().from(auditEvents).where(eq(auditEvents.subjectId, userId)).orderBy(asc(auditEvents.id)),
    db.select().from(invoiceEvents).where(eq(invoiceEvents.userId, userId)).orderBy(asc(invoiceEvents.id)),
  ]);
  // Another person's account and network address are that person's data.
  const withoutOthers = <Event extends { actorId: UserId | null }>(events: readonly Event[]) =>
    events.map((event) =>
      event.actorId === null || event.actorId === userId
        ? event
        : { ...event, actorId: null, ...('ipAddress' in event && { ipAddress: null }) },
    );
  return {
    profile,
    projects: ownProjects,
    employees: ownEmployees,
    projectAssignments: assignments,
    assignmentPeriods: periods,
    employeeStatusChanges: statusChanges,
    invoices: ownInvoices,
    tripRequests: requests,
    tripRequestEvents: withoutOthers(requestEvents),
    offers: withoutOthers(ownOffers),
    offerSolutions: solutions,
    requirements: ownRequirements,
    supportRequests: support,
    securityEvents: withoutOthers(security),
    invoiceEvents: withoutOthers(history),
  };
}

/**
 * The messages with an account's data, except those that give access to an account. Needs the system's scope, because
 * customers can queue messages but not read them.
 */
export async function findOwnMessages(db: Database, userId: UserId) {
  const { kind, recipients, subject, bodyText, createdAt, sentAt } = mailMessages;
  return await db
    .select({ kind, recipients, subject, bodyText, createdAt, sentAt })
    .from(mailMessages)
    .where(and(eq(mailMessages.userId, userId), not(sql`starts_with(${kind}, ${ACCOUNT_MAIL})`)))
    .orderBy(asc(mailMessages.id));
}
