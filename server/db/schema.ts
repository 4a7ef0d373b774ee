import { sql } from 'drizzle-orm';
import {
  alias,
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import { ROLES } from '#contract/accounts.ts';
import { INVOICE_ACTIONS } from '#contract/admin-invoices.ts';
import { CONTACT_PREFERENCES } from '#contract/contact-requests.ts';
import type { CalendarDate } from '#contract/dates.ts';
import { EMPLOYEE_STATUSES } from '#contract/employees.ts';
import { INVOICE_STATUSES } from '#contract/invoices.ts';
import { PROJECT_STATUSES } from '#contract/projects.ts';
import {
  ACCOMMODATION_PREFERENCES,
  ACCOMMODATIONS,
  LODGINGS,
  PRIORITIES,
  REQUIREMENT_LEVELS,
  TRIP_REQUEST_STATES,
} from '#contract/trip-requests.ts';
import type { UserId } from '#server/auth/actor.ts';

/*
 * Typed mirror of server/db/migrations, which define the tables with their constraints, triggers and policies. This
 * file only names the columns for queries (in snake_case, by the `casing` option of server/db/selection.ts).
 */

const record = (sequence: string) =>
  bigint({ mode: 'number' })
    .primaryKey()
    .default(sql.raw(`next_id('${sequence}')`));
const reference = () => bigint({ mode: 'number' });
const owner = () => text().$type<UserId>().notNull();
const day = () => date({ mode: 'string' }).$type<CalendarDate>();
const instant = () => timestamp({ withTimezone: true, mode: 'date' });
/** Exact euro as text ('12480.50'); server/db/money.ts converts it to the number of the API and back. */
const euro = (precision: number) => numeric({ precision, scale: 2 });
const created = () => instant().notNull().defaultNow();

export const profiles = pgTable('profiles', {
  id: text().$type<UserId>().primaryKey(),
  email: text().notNull(),
  emailVerified: boolean().notNull().default(false),
  username: text().notNull(),
  fullName: text().notNull().default('Utente'),
  companyName: text(),
  role: text({ enum: ROLES }).notNull().default('user'),
  profilePicture: text(),
  banned: boolean().notNull().default(false),
  banReason: text(),
  banExpires: instant(),
  twoFactorEnabled: boolean().notNull().default(false),
  lastLogin: instant(),
  deletedAt: instant(),
  idempotencyKey: text(),
  idempotencyDigest: text(),
  createdAt: created(),
  updatedAt: created(),
});

export const sessions = pgTable('sessions', {
  id: text().primaryKey(),
  userId: owner(),
  token: text().notNull(),
  expiresAt: instant().notNull(),
  ipAddress: text(),
  userAgent: text(),
  impersonatedBy: text(),
  createdAt: created(),
  updatedAt: created(),
});

/** A view of the open sessions of the account that reads it, without what they are entered with (migration 0170). */
export const ownSessions = pgTable('own_sessions', {
  id: text().notNull(),
  ipAddress: text(),
  userAgent: text(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
  expiresAt: instant().notNull(),
});

export const accounts = pgTable('accounts', {
  id: text().primaryKey(),
  userId: owner(),
  accountId: text().notNull(),
  providerId: text().notNull(),
  accessToken: text(),
  refreshToken: text(),
  idToken: text(),
  accessTokenExpiresAt: instant(),
  refreshTokenExpiresAt: instant(),
  scope: text(),
  password: text(),
  createdAt: created(),
  updatedAt: created(),
});

export const verifications = pgTable('verifications', {
  id: text().primaryKey(),
  identifier: text().notNull(),
  value: text().notNull(),
  expiresAt: instant().notNull(),
  createdAt: created(),
  updatedAt: created(),
});

export const twoFactors = pgTable('two_factors', {
  id: text().primaryKey(),
  userId: owner(),
  secret: text().notNull(),
  backupCodes: text().notNull(),
  verified: boolean().notNull().default(true),
  failedVerificationCount: integer().notNull().default(0),
  lockedUntil: instant(),
});

export const jwks = pgTable('jwks', {
  id: text().primaryKey(),
  publicKey: text().notNull(),
  privateKey: text().notNull(),
  alg: text(),
  crv: text(),
  createdAt: created(),
  expiresAt: instant(),
});

export const auditEvents = pgTable('audit_events', {
  id: record('audit_events_seq'),
  at: created(),
  action: text().notNull(),
  actorId: text().$type<UserId>(),
  subjectId: text().$type<UserId>(),
  ipAddress: text(),
  detail: jsonb().$type<Record<string, unknown>>().notNull().default({}),
});

export const projects = pgTable('projects', {
  id: record('projects_seq'),
  userId: owner(),
  name: text().notNull(),
  location: text().notNull(),
  startDate: day().notNull(),
  endDate: day().notNull(),
  status: text({ enum: PROJECT_STATUSES }).notNull().default('In corso'),
  projectedTotal: euro(14).notNull().default('0'),
  openingSpent: euro(14).notNull().default('0'),
  spentToDate: euro(14).notNull().default('0'),
  idempotencyKey: text(),
  idempotencyDigest: text(),
  version: integer().notNull().default(1),
  createdAt: created(),
  updatedAt: created(),
});

export const employees = pgTable('employees', {
  id: record('employees_seq'),
  userId: owner(),
  name: text().notNull(),
  role: text().notNull().default('Non specificato'),
  department: text(),
  email: text(),
  phone: text(),
  status: text({ enum: EMPLOYEE_STATUSES }).notNull().default('disponibile'),
  idempotencyKey: text(),
  idempotencyDigest: text(),
  version: integer().notNull().default(1),
  createdAt: created(),
  updatedAt: created(),
});

export const projectAssignments = pgTable(
  'project_assignments',
  {
    projectId: reference().notNull(),
    employeeId: reference().notNull(),
    userId: owner(),
    assignedAt: created(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.employeeId] })],
);

export const assignmentPeriods = pgTable('assignment_periods', {
  id: record('assignment_periods_seq'),
  employeeId: reference().notNull(),
  userId: owner(),
  projectId: reference(),
  projectName: text().notNull(),
  location: text().notNull(),
  startDate: day().notNull(),
  endDate: day().notNull(),
  assignedAt: instant().notNull(),
  removedAt: instant(),
});

export const employeeStatusChanges = pgTable('employee_status_changes', {
  id: record('employee_status_changes_seq'),
  employeeId: reference().notNull(),
  userId: owner(),
  status: text({ enum: EMPLOYEE_STATUSES }).notNull(),
  at: created(),
});

export const invoices = pgTable('invoices', {
  id: record('invoices_seq'),
  userId: owner(),
  invoiceNumber: text().notNull(),
  projectName: text().notNull(),
  projectId: reference(),
  amount: euro(9).notNull(),
  issueDate: day().notNull(),
  dueDate: day(),
  status: text({ enum: INVOICE_STATUSES }).notNull().default('Da Pagare'),
  fileName: text(),
  fileUrl: text(),
  description: text(),
  idempotencyKey: text(),
  idempotencyDigest: text(),
  version: integer().notNull().default(1),
  createdAt: created(),
  updatedAt: created(),
});

export const invoiceEvents = pgTable('invoice_events', {
  id: record('invoice_events_seq'),
  invoiceNumber: text().notNull(),
  userId: owner(),
  at: created(),
  actorId: text().$type<UserId>(),
  action: text({ enum: INVOICE_ACTIONS }).notNull(),
  detail: jsonb().$type<Record<string, unknown>>().notNull().default({}),
});

export const tripRequests = pgTable('trip_requests', {
  id: record('trip_requests_seq'),
  userId: owner(),
  state: text({ enum: TRIP_REQUEST_STATES }).notNull().default('Inviata'),
  city: text().notNull(),
  position: text().notNull(),
  startDate: day().notNull(),
  endDate: day().notNull(),
  projectId: reference(),
  projectName: text().notNull(),
  reason: text().notNull(),
  people: integer().notNull(),
  accommodation: text({ enum: ACCOMMODATIONS }).notNull(),
  accommodationPreference: text({ enum: ACCOMMODATION_PREFERENCES }),
  roomsSingle: integer().notNull(),
  roomsDouble: integer().notNull(),
  roomsSuite: integer().notNull(),
  breakfast: text({ enum: REQUIREMENT_LEVELS }).notNull(),
  laundry: text({ enum: REQUIREMENT_LEVELS }).notNull(),
  parking: text({ enum: REQUIREMENT_LEVELS }).notNull(),
  kitchen: text({ enum: REQUIREMENT_LEVELS }).notNull(),
  budget: integer().notNull(),
  budgetNote: text(),
  priority: text({ enum: PRIORITIES }).notNull(),
  otherRequests: text(),
  phone: text().notNull(),
  email: text().notNull(),
  idempotencyKey: text(),
  idempotencyDigest: text(),
  createdAt: created(),
  updatedAt: created(),
});

export const tripRequestEvents = pgTable('trip_request_events', {
  id: record('trip_request_events_seq'),
  tripRequestId: reference().notNull(),
  userId: owner(),
  at: created(),
  actorId: text().$type<UserId>(),
  state: text({ enum: TRIP_REQUEST_STATES }).notNull(),
  note: text(),
  idempotencyKey: text(),
  idempotencyDigest: text(),
});

export const offers = pgTable('offers', {
  id: record('offers_seq'),
  tripRequestId: reference().notNull(),
  userId: owner(),
  at: created(),
  actorId: text().$type<UserId>(),
  validUntil: day(),
  note: text(),
});

export const offerSolutions = pgTable('offer_solutions', {
  id: record('offer_solutions_seq'),
  offerId: reference().notNull(),
  userId: owner(),
  accommodation: text({ enum: LODGINGS }).notNull(),
  name: text().notNull(),
  description: text(),
  distanceKm: numeric({ precision: 5, scale: 1 }),
  total: euro(12).notNull(),
  chosenAt: instant(),
});

export const requirements = pgTable('requirements', {
  id: record('requirements_seq'),
  userId: owner(),
  content: jsonb().$type<Record<string, unknown>>().notNull(),
  idempotencyKey: text(),
  idempotencyDigest: text(),
  createdAt: created(),
});

export const contactRequests = pgTable('contact_requests', {
  id: record('contact_requests_seq'),
  firstName: text().notNull(),
  lastName: text().notNull(),
  company: text(),
  phone: text().notNull(),
  email: text(),
  contactPreference: text({ enum: CONTACT_PREFERENCES }).notNull(),
  message: text(),
  idempotencyKey: text(),
  idempotencyDigest: text(),
  createdAt: created(),
});

export const supportRequests = pgTable('support_requests', {
  id: record('support_requests_seq'),
  reference: text().notNull(),
  userId: owner(),
  page: text(),
  message: text().notNull(),
  idempotencyKey: text(),
  idempotencyDigest: text(),
  createdAt: created(),
});

export const mailMessages = pgTable('mail_messages', {
  id: record('mail_messages_seq'),
  kind: text().notNull(),
  userId: text().$type<UserId>(),
  messageId: text().notNull(),
  recipients: text().array().notNull(),
  pendingRecipients: text().array().notNull(),
  fromName: text(),
  replyTo: text(),
  subject: text().notNull(),
  bodyText: text().notNull(),
  bodyHtml: text(),
  state: text({ enum: ['queued', 'sent', 'failed'] })
    .notNull()
    .default('queued'),
  attempts: integer().notNull().default(0),
  lastError: text(),
  lastErrorDetails: text(),
  createdAt: created(),
  sentAt: instant(),
});

/**
 * A view of everybody's records under the name of its table, so that the table's columns and conditions also work on
 * the view. Searches and sorted lists over everybody's records use their indexes through it
 * (docs/decisions/0008-everybodys-records.md).
 */
const everybodys = <Name extends string>(view: string, table: Name) => alias(pgTable(view, {}), table);

/** For the invoice administrator. */
export const allInvoices = everybodys('all_invoices', 'invoices');
/** For both administrators. */
export const allProfiles = everybodys('all_profiles', 'profiles');
/** For administrators. */
export const allTripRequests = everybodys('all_trip_requests', 'trip_requests');
