import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isStorable } from '#server/files/folder.ts';
import { StartError } from '#server/start-error.ts';
import { inParts, type OnProgress } from './progress.ts';

const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A table or sequence of the product; such a name needs no quotes in SQL or in a path. */
const relation = z.string().regex(/^[a-z_][a-z0-9_]*$/);

const manifestSchema = z.object({
  format: z.literal(1),
  /** Time of the database snapshot, ISO 8601 UTC. */
  takenAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(
    z.object({
      name: relation,
      columns: z.array(z.string()),
      rows: count,
      sha256,
    }),
  ),
  sequences: z.array(z.object({ name: relation, value: z.string().regex(/^\d+$/), called: z.boolean() })),
  files: z.array(z.object({ path: z.string().refine(isStorable), size: count, sha256 })),
  /** Allows comparing secrets without revealing them. */
  authSecretFingerprint: z.string(),
});

/** The content of a backup, as written in its `manifest.json`. */
export type Manifest = z.output<typeof manifestSchema>;

/**
 * Reads a whole backup and compares it with its manifest.
 * @throws {StartError} when something is missing or differs
 */
export async function verifyBackup(source: string, onProgress: OnProgress = () => {}): Promise<Manifest> {
  const text = await readText(join(source, 'manifest.json')).catch((cause) => {
    throw new StartError(`${source} is not a complete backup: it has no manifest.json`, { cause });
  });
  const manifest = readManifest(source, text);
  const parts = [
    ...manifest.tables.map(({ name, sha256 }) => ({ path: tablePath(source, name), sha256 })),
    ...manifest.files.map(({ path, sha256 }) => ({ path: filePath(source, path), sha256 })),
  ];
  await inParts('checking the backup', parts, onProgress, async ({ path, sha256 }) => {
    const found = await digestOf(path).catch(() => null);
    if (found === sha256) return;
    const state = found === null ? 'missing or cannot be read' : 'damaged';
    throw new StartError(`${path} is ${state}: use another backup`);
  });
  return manifest;
}

function readManifest(source: string, text: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (cause) {
    const path = cause instanceof z.ZodError ? cause.issues[0]?.path : undefined;
    const place = path?.length ? ` (at ${path.join('.')})` : '';
    throw new StartError(`the manifest.json of ${source} is damaged or from a later release${place}`, {
      cause,
    });
  }
}

/**
 * The secret with which a backup's second factors and sessions were created.
 * @throws {StartError} when its file is missing or damaged
 */
export async function secretOf(source: string, { authSecretFingerprint }: Manifest): Promise<string> {
  const path = join(source, 'auth-secret');
  const secret = (await readText(path).catch(() => '')).trim();
  if (fingerprint(secret) !== authSecretFingerprint) {
    throw new StartError(
      `${path} is missing or damaged: set AUTH_SECRET to the secret, or use another backup`,
    );
  }
  return secret;
}

/** Opens a regular file. Anything else might wait for a writer for ever, as a named pipe, or never end, as a device. */
async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Error(`${path} is not a regular file`);
}

async function readText(path: string): Promise<string> {
  const file = await openRegular(path);
  return file.readFile('utf8').finally(() => file.close());
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await openRegular(path);
  for await (const chunk of file.createReadStream()) hash.update(chunk);
  return hash.digest('hex');
}

/** Tells whether two secrets are the same without revealing them. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(`fingerprint of ${secret}`).digest('hex').slice(0, 16);
}

/** Where a backup in `folder` keeps the rows of `table`. */
export function tablePath(folder: string, table: string): string {
  return join(folder, 'database', `${table}.copy.gz`);
}

/** Where a backup in `folder` keeps the stored file at `path`. */
export function filePath(folder: string, path: string): string {
  return join(folder, 'files', path);
}
