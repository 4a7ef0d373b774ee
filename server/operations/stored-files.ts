import { eq, isNotNull } from 'drizzle-orm';
import { invoices } from '#server/db/schema.ts';
import { readAs, SYSTEM, transaction } from '#server/db/scope.ts';
import { recordEvent, removeUnreferencedFile } from '#server/features/invoices/commands.ts';
import { referencedPictures } from '#server/features/profile/commands.ts';
import type { FileKeeping } from '#server/files/unreferenced.ts';

/** Differences between stored files and records. */
export type FileDifferences = {
  /** Stored files that no invoice or profile refers to. */
  orphans: string[];
  /** Invoices whose file is not stored. */
  missing: { number: string; path: string }[];
  /** How many stored files a record refers to. */
  agreeing: number;
};

/** Uploads store the file before the record, so younger files without a record are not orphans yet. */
export const GRACE_MS = 3_600_000;

/**
 * Compares stored files with the records that refer to them.
 * @param before only files older than this count as orphans; a younger one may belong to an upload in progress
 */
export async function compareFiles({ pool, files }: FileKeeping, before: Date): Promise<FileDifferences> {
  const stored = new Map<string, Date>();
  for await (const { path, modifiedAt } of files.list()) stored.set(path, modifiedAt);
  const referred = await readAs(pool, SYSTEM)
    .select({ number: invoices.invoiceNumber, path: invoices.fileUrl })
    .from(invoices)
    .where(isNotNull(invoices.fileUrl));
  const pictures = await referencedPictures(readAs(pool, SYSTEM));
  const known = new Set([...pictures, ...referred.map(({ path }) => path)]);
  const missing = [];
  for (const { number, path } of referred) {
    if (path !== null && !stored.has(path) && !(await isStored(files, path))) missing.push({ number, path });
  }
  const orphans = [...stored].filter(([path, at]) => !known.has(path) && at < before).map(([path]) => path);
  const agreeing = [...stored.keys()].filter((path) => known.has(path)).length;
  return { orphans: orphans.sort(), missing, agreeing };
}

async function isStored(files: FileKeeping['files'], path: string): Promise<boolean> {
  const file = await files.open(path);
  await file?.close();
  return file !== null;
}

/**
 * Removes orphaned files, references to missing files (each checked again under the invoice's lock) and the remains of
 * interrupted writes. The invoices' history records the changes without an actor.
 */
export async function removeDifferences(
  store: FileKeeping,
  { orphans, missing }: Pick<FileDifferences, 'orphans' | 'missing'>,
  before: Date,
): Promise<{ files: number; references: number; partial: number }> {
  let removed = 0;
  const pictures = await referencedPictures(readAs(store.pool, SYSTEM));
  for (const path of orphans) {
    if (!pictures.has(path) && (await removeUnreferencedFile(store, path))) removed += 1;
  }
  let cleared = 0;
  for (const { number, path } of missing) if (await clearReference(store, number, path)) cleared += 1;
  return { files: removed, references: cleared, partial: await store.files.sweep(before) };
}

function clearReference({ pool, files }: FileKeeping, number: string, path: string): Promise<boolean> {
  return transaction(pool, SYSTEM, async (tx) => {
    const [invoice] = await tx
      .select()
      .from(invoices)
      .where(eq(invoices.invoiceNumber, number))
      .for('update');
    if (!invoice || invoice.fileUrl !== path || (await isStored(files, path))) return false;
    await tx
      .update(invoices)
      .set({ fileName: null, fileUrl: null, updatedAt: new Date() })
      .where(eq(invoices.invoiceNumber, number));
    await recordEvent(tx, null, { number, userId: invoice.userId }, 'file_deleted', {
      fileName: invoice.fileName,
      reason: 'missing',
    });
    return true;
  });
}
