import { randomUUID } from 'node:crypto';
import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { and, eq, like, notExists, sql } from 'drizzle-orm';
import { ZipFile } from 'yazl';
import type { z } from 'zod';
import type { AccountNames } from '#contract/accounts.ts';
import { ERASED_DOMAIN } from '#contract/customers.ts';
import { PICTURE, PICTURE_PATH, PROFILE_TEXTS, type profileChangesSchema } from '#contract/profile.ts';
import type { Ownership } from '#contract/two-factor.ts';
import type { Actor, UserId } from '#server/auth/actor.ts';
import { record } from '#server/auth/audit.ts';
import { eraseCredentials } from '#server/auth/credentials.ts';
import type { Origin } from '#server/auth/request.ts';
import { requireOpenSession } from '#server/auth/session.ts';
import {
  employees,
  invoices,
  mailMessages,
  profiles,
  projects,
  requirements,
  supportRequests,
  tripRequests,
} from '#server/db/schema.ts';
import { type Database, readAs, SYSTEM, scopeOf, transaction } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import { findSessions } from '#server/features/sessions/queries.ts';
import { proveOwnership } from '#server/features/two-factor/commands.ts';
import { isOutdated, lockWithActor, requireOtherAdmin } from '#server/features/users/commands.ts';
import { toSquare } from '#server/files/picture.ts';
import type { StoredFile } from '#server/files/store.ts';
import { removeUnreferenced } from '#server/files/unreferenced.ts';
import type { ReceivedFile } from '#server/http/multipart.ts';
import type { Services } from '#server/services.ts';
import { findOwnData, findOwnInvoiceFile, findOwnMessages } from './queries.ts';

/** Where the file of a picture's public name is stored. */
export function pictureFile(name: string): string {
  return `pictures/${name}.webp`;
}

/** The stored file of a profile's picture; null when the picture is an external address. */
function storedFile(profilePicture: string | null): string | null {
  return profilePicture?.startsWith(PICTURE_PATH)
    ? pictureFile(profilePicture.slice(PICTURE_PATH.length))
    : null;
}

/** The paths of all stored pictures that profiles refer to. @param db in the system's scope */
export async function referencedPictures(db: Database): Promise<Set<string>> {
  const rows = await db
    .select({ picture: profiles.profilePicture })
    .from(profiles)
    .where(like(profiles.profilePicture, `${PICTURE_PATH}%`));
  return new Set(rows.flatMap(({ picture }) => storedFile(picture) ?? []));
}

/** Removes a stored picture, if any, unless the profile of `userId` refers to it. */
async function removeUnreferencedPicture(
  services: Services,
  userId: UserId,
  path: string | null,
): Promise<void> {
  if (path === null) return;
  await removeUnreferenced(services, path, async (tx) => storedFile(await lockPicture(tx, userId)) === path);
}

/** The picture of a profile, which is locked until the transaction ends. */
async function lockPicture(tx: Database, userId: UserId): Promise<string | null> {
  const [profile] = await tx
    .select({ picture: profiles.profilePicture })
    .from(profiles)
    .where(eq(profiles.id, userId))
    .for('no key update');
  return profile?.picture ?? null;
}

/** Changes the profile, then removes the previous picture's file once nothing refers to it. */
async function replacePicture(
  services: Services,
  actor: Actor,
  change: (tx: Database, before: string | null) => Promise<string | null>,
): Promise<void> {
  const replaced = await transaction(services.pool, scopeOf(actor), async (tx) => {
    const before = await lockPicture(tx, actor.userId);
    const after = await change(tx, before);
    const dropped = before === after ? null : storedFile(before);
    if (dropped) await services.jobs.send(tx, 'fileRemoval', { path: dropped });
    return dropped;
  });
  await removeUnreferencedPicture(services, actor.userId, replaced);
}

/**
 * Changes the own profile (spec §2); omitted fields keep their value.
 * @returns null; or the current names, and nothing is written, when somebody changed one of the same names after `from`
 * @throws AppError invalid_input when the picture is an uploaded one other than this account's: its file would be
 *   deleted with this account
 */
export async function updateProfile(
  services: Services,
  actor: Actor,
  { from, ...changes }: z.output<typeof profileChangesSchema>,
): Promise<AccountNames | null> {
  let conflicting: AccountNames | null = null;
  await replacePicture(services, actor, async (tx, before) => {
    const [names] = await tx
      .select({ fullName: profiles.fullName, companyName: profiles.companyName })
      .from(profiles)
      .where(eq(profiles.id, actor.userId));
    if (names && from && isOutdated(changes, from, names)) {
      conflicting = names;
      return before;
    }
    const { profilePicture = before } = changes;
    if (profilePicture !== before && storedFile(profilePicture) !== null) {
      throw new AppError('invalid_input', { profilePicture: PROFILE_TEXTS.pictureAddress });
    }
    await tx
      .update(profiles)
      .set({ ...changes, updatedAt: sql`now()` })
      .where(eq(profiles.id, actor.userId));
    return profilePicture;
  });
  return conflicting;
}

/**
 * Stores an uploaded picture as a square WebP without metadata, which may contain the place of a photo.
 * @returns the address it is served from
 * @throws AppError image_type when it is not a picture, image_too_large, file_upload_failed
 */
export async function uploadPicture(
  services: Services,
  actor: Actor,
  file: ReceivedFile | null,
): Promise<string> {
  if (!file || file.size === 0) throw new AppError('image_type');
  if (file.size > PICTURE.maxBytes) throw new AppError('image_too_large');
  const square = await toSquare(file.read());
  const name = randomUUID();
  const address = `${PICTURE_PATH}${name}`;
  await services.files.put(pictureFile(name), Readable.from([square])).catch((error: unknown) => {
    services.log.error({ err: error }, 'picture not stored');
    throw new AppError('file_upload_failed');
  });
  try {
    await replacePicture(services, actor, async (tx) => {
      await tx
        .update(profiles)
        .set({ profilePicture: address, updatedAt: sql`now()` })
        .where(eq(profiles.id, actor.userId));
      return address;
    });
  } catch (error) {
    await removeUnreferencedPicture(services, actor.userId, pictureFile(name));
    throw error;
  }
  return address;
}

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
    findSessions(services, actor),
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
    const picture = storedFile(data.profile?.profilePicture ?? null);
    if (picture) await add('foto.webp', () => services.files.open(picture));
    if (absent.length > 0)
      zip.addBuffer(Buffer.from(`${ABSENT_FILES}\n${absent.join('\n')}\n`), 'file-non-disponibili.txt');
    zip.end();
  };
  addFiles().catch(fail);
  return output;
}

/**
 * Deletes the own account.
 * @param proof the password and, where the second factor is on, a code
 * @returns the cookies to set, which remove the signed cookie that reads would otherwise trust until it expires
 * @throws AppError wrong_password, password_missing, invalid_code, last_admin, unauthenticated
 */
export async function deleteOwnAccount(
  services: Services,
  actor: Actor,
  proof: Ownership,
  origin: Origin,
): Promise<string[]> {
  // Judged again as the account is erased, but a refusal must not use up a code.
  await transaction(services.pool, SYSTEM, (tx) =>
    requireOtherAdmin(tx, services, actor, actor.userId),
  );
  await proveOwnership(services, actor, proof, origin);
  // A new password that was set while the former one was verified has ended the session.
  await requireOpenSession(services.auth, actor);
  await eraseAccount(services, actor, actor.userId, origin, (tx) =>
    lockWithActor(tx, services, actor, actor.userId),
  );
  // Only the cookies are left to remove: unlike `endSession`, this does not fail after the account is gone.
  const { headers } = await services.auth.api.signOut({ headers: origin.headers, returnHeaders: true });
  return headers.getSetCookie();
}

/** Deletes the records of an account, and anonymizes those that its invoices refer to. */
async function eraseRecords(tx: Database, userId: UserId): Promise<void> {
  for (const table of [tripRequests, requirements, supportRequests, mailMessages])
    await tx.delete(table).where(eq(table.userId, userId));
  const invoiced = tx.select({ one: sql`1` }).from(invoices).where(eq(invoices.projectId, projects.id));
  await tx.delete(projects).where(and(eq(projects.userId, userId), notExists(invoiced)));
  // The digest was computed over input with names, which could be guessed from it.
  await tx.update(projects).set({ idempotencyDigest: null }).where(eq(projects.userId, userId));
  await tx
    .update(employees)
    .set({ name: 'Lavoratore', department: null, email: null, phone: null, idempotencyDigest: null })
    .where(eq(employees.userId, userId));
}

/**
 * Erases an account. Requests, messages, picture and credentials are deleted. Employees are anonymized, because they
 * stay assigned to the projects that invoices refer to. Invoices and their PDFs are fiscal records and remain, with the
 * company they were issued to.
 * @param lock called in the same transaction before anything is erased: locks the account, or refuses by throwing
 * @throws AppError last_admin, and whatever `lock` throws
 */
export async function eraseAccount(
  services: Services,
  actor: Actor,
  userId: UserId,
  origin: Origin,
  lock: (tx: Database) => Promise<typeof profiles.$inferSelect | undefined>,
): Promise<void> {
  // Drawn, because one that is known beforehand could be taken by somebody else.
  const name = `eliminato-${randomUUID()}`;
  const picture = await transaction(services.pool, SYSTEM, async (tx) => {
    await requireOtherAdmin(tx, services, actor, userId);
    const profile = await lock(tx);
    const [invoice] = await tx
      .select({ id: invoices.id })
      .from(invoices)
      .where(eq(invoices.userId, userId))
      .limit(1);

    await eraseRecords(tx, userId);
    await tx
      .update(profiles)
      .set({
        email: `${name}@${ERASED_DOMAIN}`,
        username: name,
        fullName: 'Account eliminato',
        companyName: invoice ? profile?.companyName : null,
        role: 'user',
        profilePicture: null,
        emailVerified: false,
        twoFactorEnabled: false,
        lastLogin: null,
        idempotencyDigest: null,
        banned: true,
        deletedAt: sql`now()`,
        updatedAt: sql`now()`,
      })
      .where(eq(profiles.id, userId));
    await eraseCredentials(tx, userId);
    await record(tx, {
      action: 'account_deleted',
      actorId: actor.userId,
      subjectId: userId,
      ipAddress: origin.ipAddress,
    });
    const dropped = storedFile(profile?.profilePicture ?? null);
    if (dropped) await services.jobs.send(tx, 'fileRemoval', { path: dropped });
    return dropped;
  });
  await removeUnreferencedPicture(services, userId, picture);
}
