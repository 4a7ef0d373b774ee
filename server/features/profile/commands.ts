import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { eq, like, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { AccountNames } from '#contract/accounts.ts';
import { PICTURE, PICTURE_PATH, PROFILE_TEXTS, type profileChangesSchema } from '#contract/profile.ts';
import type { Actor, UserId } from '#server/auth/actor.ts';
import { profiles } from '#server/db/schema.ts';
import { type Database, scopeOf, transaction } from '#server/db/scope.ts';
import { AppError, fieldError } from '#server/errors.ts';
import { isOutdated } from '#server/features/users/commands.ts';
import { toSquare } from '#server/files/picture.ts';
import { removeUnreferenced } from '#server/files/unreferenced.ts';
import type { ReceivedFile } from '#server/http/multipart.ts';
import type { Services } from '#server/services.ts';

/** Where the file of a picture's public name is stored. */
export function pictureFile(name: string): string {
  return `pictures/${name}.webp`;
}

/** The stored file of a profile's picture; null when the picture is an external address. */
export function storedPicture(profilePicture: string | null): string | null {
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
  return new Set(rows.flatMap(({ picture }) => storedPicture(picture) ?? []));
}

/** Removes a stored picture, if any, unless the profile of `userId` refers to it. */
export async function removeUnreferencedPicture(
  services: Services,
  userId: UserId,
  path: string | null,
): Promise<void> {
  if (path === null) return;
  await removeUnreferenced(
    services,
    path,
    async (tx) => storedPicture(await lockPicture(tx, userId)) === path,
  );
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
    const dropped = before === after ? null : storedPicture(before);
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
    if (profilePicture !== before && storedPicture(profilePicture) !== null) {
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
  if (!file || file.size === 0) throw fieldError('image_type', 'file');
  if (file.size > PICTURE.maxBytes) throw fieldError('image_too_large', 'file');
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
