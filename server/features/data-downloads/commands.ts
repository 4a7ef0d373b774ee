import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Actor } from '#server/auth/actor.ts';
import { record } from '#server/auth/audit.ts';
import type { Origin } from '#server/auth/request.ts';
import { requireOpenSession } from '#server/auth/session.ts';
import { readAs, SYSTEM, scopeOf, transaction } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import { storedPicture } from '#server/features/profile/commands.ts';
import { findAllSessions } from '#server/features/sessions/queries.ts';
import type { StoredFile } from '#server/files/store.ts';
import type { Services } from '#server/services.ts';
import { findOwnData, findOwnInvoiceFile, findOwnMessages } from './queries.ts';

const ABSENT_FILES = 'Questi file risultano dai tuoi dati, ma non sono più conservati:';

/**
 * A ZIP of all data stored about the account: one JSON file, the PDFs of its invoices, the picture, and the names of those
 * that are no longer stored.
 * @returns its bytes; the stream fails when one of the files cannot be read, or the session ends before it
 */
export async function packOwnData(services: Services, actor: Actor, origin: Origin): Promise<Readable> {
  const own = readAs(services.pool, scopeOf(actor));
  const [data, messages, sessions] = await Promise.all([
    findOwnData(own, actor.userId),
    findOwnMessages(readAs(services.pool, SYSTEM), actor.userId),
    findAllSessions(own, actor),
  ]);
  await transaction(services.pool, scopeOf(actor), (tx) =>
    record(tx, {
      action: 'data_downloaded',
      actorId: actor.userId,
      subjectId: actor.userId,
      ipAddress: origin.ipAddress,
    }),
  );
  const zip = new ZipFile();
  // The library declares a narrower type, but this is an ordinary Node stream.
  const output = zip.outputStream as PassThrough;
  const fail = (error: unknown) => {
    // Also when the client has disconnected.
    if (output.destroyed) return;
    services.log[error instanceof AppError ? 'info' : 'error']({ err: error }, 'data download aborted');
    output.destroy(error instanceof Error ? error : new Error('the ZIP failed', { cause: error }));
  };
  zip.on('error', fail);
  let reading: Readable | undefined;
  output.on('close', () => reading?.destroy());
  zip.addBuffer(Buffer.from(JSON.stringify({ ...data, messages, sessions }, null, 2)), 'dati.json');
  const absent: string[] = [];
  // Files are opened one after the other, because an account can have thousands, and stored uncompressed, because PDF
  // and WebP are compressed already.
  const add = async (name: string, open: () => Promise<StoredFile | null>) => {
    await requireOpenSession(services.auth, actor);
    const stored = await open();
    if (!stored) {
      absent.push(name);
      return;
    }
    reading = Readable.fromWeb(stored.read());
    if (output.destroyed) reading.destroy();
    zip.addReadStream(reading, name, { compress: false });
    await finished(reading);
  };
  const openInvoiceFile = async (number: string, path: string) => {
    const file = await services.files.open(path);
    if (file) return file;
    // The PDF was replaced after the download began; read the current one.
    const current = await findOwnInvoiceFile(own, actor.userId, number);
    return current === null ? null : services.files.open(current);
  };
  const addFiles = async () => {
    for (const { invoiceNumber, fileUrl } of data.invoices) {
      if (fileUrl === null) continue;
      await add(`fatture/${invoiceNumber}.pdf`, () => openInvoiceFile(invoiceNumber, fileUrl));
    }
    const picture = storedPicture(data.profile?.profilePicture ?? null);
    if (picture) await add('foto.webp', () => services.files.open(picture));
    if (absent.length > 0)
      zip.addBuffer(Buffer.from(`${ABSENT_FILES}\n${absent.join('\n')}\n`), 'file-non-disponibili.txt');
    zip.end();
  };
  addFiles().catch(fail);
  return output;
}
