import { randomInt } from 'node:crypto';
import { and, eq, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { type CalendarDate, todayInRome } from '#contract/dates.ts';
import type { ErrorCode } from '#contract/errors.ts';
import {
  checkDraft,
  INVOICE_PDF,
  type Invoice,
  type InvoiceDraft,
  isSampleInvoice,
  pdfProblem,
  type ValidInvoiceDraft,
} from '#contract/invoices.ts';
import type { Actor, UserId } from '#server/auth/actor.ts';
import { databaseFailure } from '#server/db/failure.ts';
import { type Attempt, requireSameContent } from '#server/db/idempotency.ts';
import { toNumeric } from '#server/db/money.ts';
import { invoiceEvents, invoices, profiles, projects } from '#server/db/schema.ts';
import { type Database, readAs, scopeOf, transaction } from '#server/db/scope.ts';
import { AppError, fieldError } from '#server/errors.ts';
import { type FileKeeping, removeUnreferenced } from '#server/files/unreferenced.ts';
import type { ReceivedFile } from '#server/http/multipart.ts';
import type { Services } from '#server/services.ts';
import { invoiceColumns, presentInvoice } from './queries.ts';

const CODE_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A new invoice number (spec §3): FAT, milliseconds since 1970, eight random uppercase letters or digits. */
export function newInvoiceNumber(now: Date = new Date()): string {
  const code = Array.from({ length: 8 }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('');
  return `FAT${String(now.getTime()).padStart(13, '0')}${code}`;
}

/**
 * Where the PDF of an invoice is stored (spec §7).
 * @param upload unique name for a PDF uploaded to an existing invoice, which must not overwrite the one that the
 *   record may still refer to; null for the PDF of a new invoice
 */
export function invoiceFilePath(userId: UserId, number: string, upload: string | null = null): string {
  const name = upload === null ? number : `${number}_${upload}`;
  return `${userId}/${name}_fattura.pdf`;
}

/** The number of the invoice that a stored file belongs or belonged to. */
function invoiceNumberIn(path: string): string {
  return /([^/_]+)(_[^/_]+)?_fattura\.pdf$/.exec(path)?.[1] ?? '';
}

/**
 * The name under which a PDF is shown and saved: the uploaded name without characters that break file systems or
 * headers, always ending in .pdf so that no device opens it as anything else.
 */
export function storedFileName(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}"*/:<>?\\|]/gu, '').trim();
  const [ending = '.pdf'] = /\.pdf$/i.exec(clean) ?? [];
  // Cut between code points: PostgreSQL rejects half a surrogate pair in JSON, and the history stores the name as JSON.
  const stem = [...clean.replace(/\.pdf$/i, '')].slice(0, 200 - ending.length).join('');
  return /[^.\s]/.test(stem) ? `${stem}${ending}` : INVOICE_PDF.name;
}

/** Errors of `requirePdf`. */
export const PDF_FAILURES = ['file_empty', 'file_not_pdf', 'file_too_large'] as const satisfies ErrorCode[];

/** Errors of `requireValidFields` and `requireProject`. */
export const DRAFT_FAILURES = [
  'invoice_amount',
  'invoice_amount_decimals',
  'invoice_issue_date',
  'invoice_due_date',
  'invoice_project',
  'invoice_project_owner',
] as const satisfies ErrorCode[];

/** Errors of `createInvoice` for an existing customer. */
export const INVOICE_FAILURES = [
  ...DRAFT_FAILURES,
  ...PDF_FAILURES,
  'invoice_number_taken',
  'invoice_references',
  'file_upload_failed',
] as const satisfies ErrorCode[];

/**
 * Refuses a file that is empty, no PDF, or larger than 10 MB (spec §5, rule 3).
 * @throws AppError file_empty, file_not_pdf, file_too_large
 */
export function requirePdf(file: ReceivedFile): void {
  const problem = pdfProblem(file);
  if (problem) throw fieldError(problem, 'file');
}

/**
 * Rejects an amount or issue date out of range (spec §5, rules 1 and 2), fractions of a cent, and a due date before the
 * issue date.
 * @param kept the issue date that an existing invoice already has
 * @throws AppError invoice_amount, invoice_amount_decimals, invoice_issue_date, invoice_due_date
 */
export function requireValidFields(
  draft: Pick<InvoiceDraft, 'amount' | 'issueDate' | 'dueDate'>,
  today: CalendarDate,
  kept?: CalendarDate,
): ValidInvoiceDraft {
  const checked = checkDraft(draft, today, kept);
  if ('problem' in checked) throw fieldError(checked.problem.code, checked.problem.field);
  return checked.draft;
}

/**
 * Rejects a project that does not exist or does not belong to `userId` (spec §5, rule 4).
 * @returns the project's name
 * @throws AppError invoice_project, invoice_project_owner
 */
export async function requireProject(
  db: Database,
  userId: UserId,
  projectId: number | null,
): Promise<string> {
  const [project] =
    projectId === null
      ? []
      : await db
          .select({ userId: projects.userId, name: projects.name })
          .from(projects)
          .where(eq(projects.id, projectId));
  if (!project) throw fieldError('invoice_project', 'projectId');
  if (project.userId !== userId) throw fieldError('invoice_project_owner', 'projectId');
  return project.name;
}

type InvoiceAction = (typeof invoiceEvents.$inferInsert)['action'];

/** Adds an entry to an invoice's history, in the transaction of the change. */
export function recordEvent(
  tx: Database,
  actor: Actor | null,
  invoice: { number: string; userId: UserId },
  action: InvoiceAction,
  detail: Record<string, unknown> = {},
): Promise<void> {
  return recordEvents(tx, actor, [{ ...invoice, detail }], action);
}

/** Adds one entry each for several invoices, at least one, in one statement. */
export async function recordEvents(
  tx: Database,
  actor: Actor | null,
  events: readonly { number: string; userId: UserId; detail: Record<string, unknown> }[],
  action: InvoiceAction,
): Promise<void> {
  await tx.insert(invoiceEvents).values(
    events.map(({ number, userId, detail }) => ({
      invoiceNumber: number,
      userId,
      actorId: actor?.userId ?? null,
      action,
      detail,
    })),
  );
}

/** Stores the PDF of an invoice. @throws AppError file_upload_failed */
export async function storeFile(
  { files, log }: FileKeeping,
  path: string,
  file: ReceivedFile,
): Promise<void> {
  await files.put(path, file.read()).catch((error: unknown) => {
    log.error({ err: error }, 'invoice file not stored');
    throw new AppError('file_upload_failed');
  });
}

/** Removes a stored file unless an invoice refers to it. @returns whether the file was removed */
export function removeUnreferencedFile(services: FileKeeping, path: string): Promise<boolean> {
  return removeUnreferenced(services, path, async (tx) => {
    const [invoice] = await tx
      .select({ fileUrl: invoices.fileUrl })
      .from(invoices)
      .where(eq(invoices.invoiceNumber, invoiceNumberIn(path)))
      .for('update');
    return invoice?.fileUrl === path;
  });
}

/** Translates a failed insert of an invoice into its error (spec §8); other errors are returned unchanged. */
function insertFailure(error: unknown): unknown {
  const failure = databaseFailure(error);
  if (failure?.code === '23505' && failure.constraint === 'invoices_number') {
    return new AppError('invoice_number_taken');
  }
  return failure?.code === '23503' ? new AppError('invoice_references') : error;
}

/** @throws AppError idempotency_key_reused when it was created from other input */
async function findByKey(db: Database, userId: UserId, attempt: Attempt | null): Promise<Invoice | null> {
  if (attempt === null) return null;
  const [row] = await db
    .select({ ...invoiceColumns, idempotencyDigest: invoices.idempotencyDigest })
    .from(invoices)
    .where(and(eq(invoices.userId, userId), eq(invoices.idempotencyKey, attempt.idempotencyKey)));
  if (!row) return null;
  const { idempotencyDigest, ...invoice } = row;
  requireSameContent(attempt, { idempotencyDigest });
  return presentInvoice(invoice);
}

/** @throws AppError invoice_user when the account is gone */
async function requireCustomer(db: Database, userId: UserId): Promise<void> {
  const [customer] = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.id, userId), isNull(profiles.deletedAt)));
  if (!customer) throw fieldError('invoice_user', 'userId');
}

/**
 * Creates an invoice of `userId` (spec §5, checked in that order). Invoice, project total and history are written in
 * one transaction; the file is stored before it and removed if it fails. An invoice already created by the same attempt
 * is returned without new checks, because its project may have been deleted since.
 * @param draft as read from the form
 * @param file null when none was chosen
 * @param attempt idempotency key: repeats for the same customer create one invoice; null for none
 * @param number of the new invoice
 * @throws AppError the rules' codes, invoice_number_taken, invoice_references, file_upload_failed
 */
export async function createInvoice(
  services: Services,
  actor: Actor,
  userId: UserId,
  draft: InvoiceDraft,
  file: ReceivedFile | null,
  attempt: Attempt | null,
  number: string = newInvoiceNumber(),
): Promise<Invoice> {
  const db = readAs(services.pool, scopeOf(actor));
  const made = await findByKey(db, userId, attempt);
  if (made) return made;
  const sound = requireValidFields(draft, todayInRome());
  if (file) requirePdf(file);
  await requireCustomer(db, userId);
  const projectName = await requireProject(db, userId, draft.projectId);

  const path = file && invoiceFilePath(userId, number);
  const fileName = file && storedFileName(file.name);
  if (file && path) await storeFile(services, path, file);
  try {
    return await transaction(services.pool, scopeOf(actor), async (tx) => {
      const [row] = await tx
        .insert(invoices)
        .values({
          userId,
          invoiceNumber: number,
          projectId: draft.projectId,
          projectName,
          amount: toNumeric(sound.amount),
          issueDate: sound.issueDate,
          dueDate: sound.dueDate,
          description: draft.description,
          fileName,
          fileUrl: path,
          ...attempt,
        })
        .returning(invoiceColumns);
      if (!row) throw new Error('the insert returned no invoice');
      // Erased while the file was stored? From the insert on, its reference to the account keeps it from being erased.
      await requireCustomer(tx, userId);
      await recordEvent(tx, actor, { number, userId }, 'created', {
        amount: sound.amount,
        projectName,
        ...(file && { fileName, bytes: file.size }),
      });
      return presentInvoice(row);
    });
  } catch (error) {
    if (path) await removeUnreferencedFile(services, path);
    // The same form was sent twice concurrently, and the other request won.
    const twin = databaseFailure(error)?.constraint === 'invoices_idempotency';
    const sent = twin ? await findByKey(db, userId, attempt) : null;
    if (sent) return sent;
    throw insertFailure(error);
  }
}

/**
 * Deletes an own invoice with its file (spec §6); the project's total is updated too.
 * @param from see `invoiceFromSchema`
 * @returns null; or the current invoice, and nothing is deleted, when it was changed after `from`
 * @throws AppError sample_record, not_found
 */
export async function deleteOwnInvoice(
  services: Services,
  actor: Actor,
  number: string,
  from?: string,
): Promise<Invoice | null> {
  if (isSampleInvoice(number)) throw new AppError('sample_record');
  const own = and(
    eq(invoices.userId, actor.userId),
    eq(invoices.invoiceNumber, number),
    lte(invoices.issueDate, todayInRome()),
  );
  return deleteInvoice(services, actor, own, from, async (tx) => {
    const [row] = await tx.select(invoiceColumns).from(invoices).where(own);
    return row ? presentInvoice(row) : null;
  });
}

/**
 * Deletes the invoice that matches `conditions` with its file, and records it.
 * @param from see `invoiceFromSchema`
 * @param readCurrent reads the invoice when it was changed after `from`
 * @returns null; or what `readCurrent` returns, and nothing is deleted
 * @throws AppError not_found
 */
export async function deleteInvoice<Current>(
  services: FileKeeping & Pick<Services, 'jobs'>,
  actor: Actor,
  conditions: SQL | undefined,
  from: string | undefined,
  readCurrent: (tx: Database) => Promise<Current | null>,
): Promise<Current | null> {
  const { current, fileUrl } = await transaction(services.pool, scopeOf(actor), async (tx) => {
    // The API's instants have milliseconds, the column microseconds. As text, PostgreSQL would not read each of them.
    const unchanged =
      from === undefined
        ? undefined
        : sql`date_trunc('milliseconds', ${invoices.updatedAt}) = ${new Date(from)}`;
    const [row] = await tx.delete(invoices).where(and(conditions, unchanged)).returning({
      number: invoices.invoiceNumber,
      userId: invoices.userId,
      amount: invoices.amount,
      projectName: invoices.projectName,
      fileUrl: invoices.fileUrl,
    });
    if (row) {
      const { amount, projectName } = row;
      await recordEvent(tx, actor, row, 'deleted', { amount: Number(amount), projectName });
      if (row.fileUrl !== null) await services.jobs.send(tx, 'fileRemoval', { path: row.fileUrl });
      return { current: null, fileUrl: row.fileUrl };
    }
    const changed = unchanged && (await readCurrent(tx));
    if (!changed) throw new AppError('not_found');
    return { current: changed, fileUrl: null };
  });
  if (fileUrl !== null) await removeUnreferencedFile(services, fileUrl);
  return current;
}
