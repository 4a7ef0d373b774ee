import { createHash, randomUUID } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import type {
  AdminInvoice,
  InvoiceEdit,
  invoiceStatusChangeSchema,
  invoiceStatusSchema,
} from '#contract/admin-invoices.ts';
import { todayInRome } from '#contract/dates.ts';
import type { z } from '#contract/validation.ts';
import type { Actor } from '#server/auth/actor.ts';
import { databaseFailure } from '#server/db/failure.ts';
import { toNumeric } from '#server/db/money.ts';
import { invoices, projects } from '#server/db/schema.ts';
import { type Database, readAs, scopeOf, transaction } from '#server/db/scope.ts';
import { AppError, fieldError } from '#server/errors.ts';
import {
  deleteInvoice,
  invoiceFilePath,
  recordEvent,
  recordEvents,
  removeUnreferencedFile,
  requirePdf,
  requireProject,
  requireValidFields,
  storedFileName,
  storeFile,
} from '#server/features/invoices/commands.ts';
import { presentInvoice } from '#server/features/invoices/queries.ts';
import type { ReceivedFile } from '#server/http/multipart.ts';
import type { Services } from '#server/services.ts';
import { findAnyInvoice } from './queries.ts';

/** An invoice, locked until the transaction ends so that changes to it are serialized. */
async function lockInvoice(tx: Database, number: string) {
  const [row] = await tx.select().from(invoices).where(eq(invoices.invoiceNumber, number)).for('update');
  if (!row) throw new AppError('not_found');
  return row;
}

async function readInvoice(tx: Database, number: string): Promise<AdminInvoice> {
  const invoice = await findAnyInvoice(tx, number);
  if (!invoice) throw new AppError('not_found');
  return invoice;
}

/**
 * Whether an invoice has another PDF than the one a change started from.
 * @param from its `fileUrl`, '' for none; undefined for a change of whichever PDF there is
 */
function isOtherFile(from: string | undefined, fileUrl: string | null): boolean {
  return from !== undefined && from !== (fileUrl ?? '');
}

/** Whether the file stored at `path` has the same bytes: its upload was carried out before, but the response was lost. */
async function isStoredAs({ files }: Services, path: string | null, file: ReceivedFile): Promise<boolean> {
  const stored = path === null ? null : await files.open(path);
  if (stored?.size !== file.size) {
    await stored?.close();
    return false;
  }
  const digest = createHash('sha256');
  for await (const chunk of stored.read()) digest.update(chunk);
  return digest.digest('hex') === file.digest;
}

/** The fields that differ, as field → [before, after]. */
function changes<Values extends Record<string, unknown>>(before: Values, after: Values) {
  return Object.fromEntries(
    Object.keys(after)
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, [before[field], after[field]]]),
  );
}

/**
 * Changes amount, dates, project and description; the totals of both projects are updated in the same transaction.
 * @returns the current invoice; `saved` is false, and nothing is written, when somebody changed it after
 *   `edit.version` or deleted the project that `edit` still names
 * @throws AppError not_found, and the codes of spec §5
 */
export async function editInvoice(
  services: Services,
  actor: Actor,
  number: string,
  edit: InvoiceEdit,
): Promise<{ saved: boolean; invoice: AdminInvoice }> {
  return transaction(services.pool, scopeOf(actor), async (tx) => {
    const current = await lockInvoice(tx, number);
    if (current.version !== edit.version) return { saved: false, invoice: await readInvoice(tx, number) };
    const moved = edit.projectId !== current.projectId;
    // Deleting a project clears it from its invoices without changing their version.
    if (
      moved &&
      current.projectId === null &&
      !(await tx.$count(projects, eq(projects.id, Number(edit.projectId))))
    )
      return { saved: false, invoice: await readInvoice(tx, number) };
    const sound = requireValidFields(edit, todayInRome(), current.issueDate);
    const projectName = !moved
      ? current.projectName
      : await requireProject(tx, current.userId, edit.projectId);
    const after = { ...sound, description: edit.description, projectName };
    const { amount, issueDate, dueDate, description } = presentInvoice(current);
    const changed = changes<Record<string, unknown>>(
      {
        amount,
        issueDate,
        dueDate,
        description,
        projectName: current.projectName,
        projectId: current.projectId,
      },
      { ...after, projectId: edit.projectId },
    );
    if (Object.keys(changed).length > 0) {
      await tx
        .update(invoices)
        .set({
          ...after,
          amount: toNumeric(sound.amount),
          projectId: edit.projectId,
          version: sql`${invoices.version} + 1`,
          updatedAt: new Date(),
        })
        .where(eq(invoices.invoiceNumber, number))
        .catch((error: unknown) => {
          // The project was deleted after the check above.
          if (databaseFailure(error)?.constraint !== 'invoices_project') throw error;
          throw fieldError('invoice_project', 'projectId');
        });
      await recordEvent(tx, actor, { number, userId: current.userId }, 'updated', changed);
    }
    return { saved: true, invoice: await readInvoice(tx, number) };
  });
}

/**
 * Gives several invoices the same state, all or none (spec §4: in either direction, as often as wanted).
 * @throws AppError not_found when one of them does not exist, unless `skipDeleted`
 */
export async function setInvoiceStatus(
  services: Services,
  actor: Actor,
  { numbers, status, skipDeleted }: z.output<typeof invoiceStatusSchema>,
): Promise<z.input<typeof invoiceStatusChangeSchema>> {
  const wanted = [...new Set(numbers)];
  return transaction(services.pool, scopeOf(actor), async (tx) => {
    const rows = await tx
      .select({ number: invoices.invoiceNumber, userId: invoices.userId, status: invoices.status })
      .from(invoices)
      .where(inArray(invoices.invoiceNumber, wanted))
      // A fixed lock order, so that overlapping selections cannot deadlock.
      .orderBy(invoices.id)
      .for('update');
    const deleted = wanted.length - rows.length;
    if (deleted > 0 && !skipDeleted) throw new AppError('not_found');
    const different = rows.filter((row) => row.status !== status);
    const changed = different.map(({ number }) => number);
    if (changed.length > 0) {
      await tx
        .update(invoices)
        .set({ status, updatedAt: new Date() })
        .where(inArray(invoices.invoiceNumber, changed));
      const events = different.map((row) => ({ ...row, detail: { status: [row.status, status] } }));
      await recordEvents(tx, actor, events, 'status');
    }
    return { status, changed: changed.length, numbers: changed, deleted };
  });
}

/**
 * Deletes an invoice with its file; the project's total is updated in the same transaction.
 * @param from see `invoiceFromSchema`
 * @returns null; or the current invoice, and nothing is deleted, when it was changed after `from`
 * @throws AppError not_found
 */
export function removeInvoice(
  services: Services,
  actor: Actor,
  number: string,
  from?: string,
): Promise<AdminInvoice | null> {
  const conditions = eq(invoices.invoiceNumber, number);
  return deleteInvoice(services, actor, conditions, from, (tx) => findAnyInvoice(tx, number));
}

/**
 * Adds or replaces the PDF of an invoice. The file is stored first, under a unique path: no transaction waits for the
 * store, and concurrent uploads do not overwrite each other. The previous file is removed after the commit, so that
 * name and content always match, even if the transaction fails after the upload.
 * @param from see `isOtherFile`
 * @returns the current invoice; `saved` is false, and nothing is changed, when it has another PDF than `from`, unless
 *   that one is `file` itself
 * @throws AppError not_found, file_missing (no file sent), file_empty, file_not_pdf, file_too_large,
 *   file_upload_failed, file_record_failed
 */
export async function storeInvoiceFile(
  services: Services,
  actor: Actor,
  number: string,
  file: ReceivedFile | null,
  from?: string,
): Promise<{ saved: boolean; invoice: AdminInvoice }> {
  if (!file) throw fieldError('file_missing', 'file');
  requirePdf(file);
  const scope = scopeOf(actor);
  const [owned] = await readAs(services.pool, scope)
    .select({ userId: invoices.userId })
    .from(invoices)
    .where(eq(invoices.invoiceNumber, number));
  if (!owned) throw new AppError('not_found');
  const fileName = storedFileName(file.name);
  const path = invoiceFilePath(owned.userId, number, randomUUID());
  await storeFile(services, path, file);
  try {
    const { saved, invoice, unused } = await transaction(services.pool, scope, async (tx) => {
      const current = await lockInvoice(tx, number);
      if (isOtherFile(from, current.fileUrl)) {
        return { saved: false, invoice: await readInvoice(tx, number), unused: path };
      }
      await tx
        .update(invoices)
        .set({ fileName, fileUrl: path, updatedAt: new Date() })
        .where(eq(invoices.invoiceNumber, number));
      await recordEvent(
        tx,
        actor,
        { number, userId: current.userId },
        current.fileUrl === null ? 'file_uploaded' : 'file_replaced',
        { fileName, bytes: file.size },
      );
      if (current.fileUrl !== null) await services.jobs.send(tx, 'fileRemoval', { path: current.fileUrl });
      return { saved: true, invoice: await readInvoice(tx, number), unused: current.fileUrl };
    });
    if (unused !== null) await removeUnreferencedFile(services, unused);
    if (saved || invoice.fileName !== fileName) return { saved, invoice };
    return { saved: await isStoredAs(services, invoice.fileUrl, file), invoice };
  } catch (error) {
    await removeUnreferencedFile(services, path);
    if (error instanceof AppError) throw error;
    services.log.error({ err: error }, 'invoice file not recorded');
    throw new AppError('file_record_failed');
  }
}

/**
 * Removes the PDF of an invoice; the stored file is deleted after the commit.
 * @param from see `isOtherFile`
 * @returns the current invoice; `saved` is false, and nothing is changed, when it has another PDF than `from`
 * @throws AppError not_found, file_missing (there is none), file_delete_failed
 */
export async function removeInvoiceFile(
  services: Services,
  actor: Actor,
  number: string,
  from?: string,
): Promise<{ saved: boolean; invoice: AdminInvoice }> {
  try {
    const { saved, invoice, path } = await transaction(services.pool, scopeOf(actor), async (tx) => {
      const current = await lockInvoice(tx, number);
      if (current.fileUrl === null) throw new AppError('file_missing');
      if (isOtherFile(from, current.fileUrl)) {
        return { saved: false, invoice: await readInvoice(tx, number), path: null };
      }
      await tx
        .update(invoices)
        .set({ fileName: null, fileUrl: null, updatedAt: new Date() })
        .where(eq(invoices.invoiceNumber, number));
      await recordEvent(tx, actor, { number, userId: current.userId }, 'file_deleted', {
        fileName: current.fileName,
      });
      await services.jobs.send(tx, 'fileRemoval', { path: current.fileUrl });
      return { saved: true, invoice: await readInvoice(tx, number), path: current.fileUrl };
    });
    if (path !== null) await removeUnreferencedFile(services, path);
    return { saved, invoice };
  } catch (error) {
    if (error instanceof AppError) throw error;
    services.log.error({ err: error }, 'invoice file not removed');
    throw new AppError('file_delete_failed');
  }
}
