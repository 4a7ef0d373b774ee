import { createHash } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { makeFolder } from '#server/data-dir.ts';
import { LOCKS } from '#server/db/locks.ts';
import { connectOwner, requireInstallation } from '#server/db/migrate.ts';
import { referencedPictures } from '#server/features/profile/commands.ts';
import { syncFolder } from '#server/files/folder.ts';
import type { FileStore } from '#server/files/store.ts';
import { StartError } from '#server/start-error.ts';
import { filePath, fingerprint, type Manifest, tablePath } from './backup-content.ts';
import { migrationsOf, sequencesOf, type Table, tablesOf } from './product-schema.ts';
import { inParts, type OnProgress } from './progress.ts';

/** The installation that is backed up or restored. */
export type Installation = {
  /** Connection URL of the database's owner. */
  databaseUrl: string;
  files: FileStore;
  /** The secret in use; part of the backup, because second factors cannot be read without it. */
  authSecret: string;
};

/**
 * Copies an installation while it serves: every row as of one instant, and exactly the files those rows refer to. Most
 * files are copied beforehand; only the last ones block writers of files.
 *
 * @param target folder that does not exist yet. It will hold secrets and personal data, and is readable by its owner
 *   only.
 * @throws {StartError} when the folder exists, another backup is being written into it, or the database cannot be reached
 *   or was never migrated
 */
export async function backUp(
  installation: Installation,
  target: string,
  onProgress: OnProgress = () => {},
): Promise<Manifest> {
  if (await lstat(target).catch(() => null)) {
    throw new StartError(`${target} already exists: name a new folder`);
  }
  const client = await connectOwner(installation.databaseUrl);
  try {
    await requireInstallation(client);
    await lockTarget(client, target);
    return await writeBackup(client, installation, target, onProgress);
  } finally {
    await client.end();
  }
}

async function writeBackup(
  client: Client,
  installation: Installation,
  target: string,
  onProgress: OnProgress,
): Promise<Manifest> {
  const draft = `${target}.partial`;
  const discard = () => rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
  // An interrupted command ends meanwhile.
  process.once('exit', discard);
  try {
    await makeFolder(dirname(resolve(target)));
    await rm(draft, { recursive: true, force: true });
    await makeFolder(join(draft, 'database'), 0o700);

    const copies = new FileCopies(installation.files, draft);
    await copies.update(await referredFiles(client), onProgress);

    await client.query("set lock_timeout = '60s'");
    await client.query('select pg_advisory_lock($1)', [LOCKS.files]);
    // The first statement takes the snapshot; the lock is already held then.
    await client.query('begin isolation level repeatable read, read only');
    const { rows } = await client.query<{ at: Date }>('select now() as at');
    await copies.update(await referredFiles(client), onProgress);
    await client.query('select pg_advisory_unlock($1)', [LOCKS.files]);

    const tables: Manifest['tables'] = [];
    await inParts('copying tables', await tablesOf(client), onProgress, async (table) => {
      tables.push({ ...table, ...(await dumpTable(client, table, draft)) });
    });
    const manifest: Manifest = {
      format: 1,
      takenAt: (rows[0]?.at ?? new Date()).toISOString(),
      migrations: await migrationsOf(client),
      tables,
      sequences: await sequencesOf(client),
      files: copies.taken(),
      authSecretFingerprint: fingerprint(installation.authSecret),
    };
    await client.query('commit');
    await writeFile(join(draft, 'auth-secret'), `${installation.authSecret}\n`, { mode: 0o600, flush: true });
    await writeFile(join(draft, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`, {
      mode: 0o600,
      flush: true,
    });
    await syncFolder(draft);
    await rename(draft, target);
    await syncFolder(dirname(resolve(target)));
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  } finally {
    process.off('exit', discard);
  }
}

/**
 * Until the connection ends, only it may write a backup into `target`. Each backup first removes what an interrupted one
 * has left, and would remove what another is writing, which might then complete without its files.
 */
async function lockTarget(client: Client, target: string): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, $2)) as taken',
    [resolve(target), LOCKS.backup],
  );
  if (!rows[0]?.taken) throw new StartError(`another backup into ${target} is running`);
}

/** The paths of all files that records refer to. */
async function referredFiles(client: Client): Promise<Set<string>> {
  const pictures = await referencedPictures(drizzle(client, { casing: 'snake_case' }));
  const { rows: pdfs } = await client.query<{ path: string }>(
    'select file_url as path from invoices where file_url is not null',
  );
  return new Set([...pictures, ...pdfs.map(({ path }) => path)]);
}

/** Copies of a store's files in the folder of a backup, which can be updated repeatedly. */
class FileCopies {
  readonly #store: FileStore;
  readonly #folder: string;
  readonly #copies = new Map<string, { size: number; sha256: string }>();

  constructor(store: FileStore, folder: string) {
    this.#store = store;
    this.#folder = folder;
  }

  /** Copies exactly the files at `paths`. A path is never reused, so what has been copied is not read again. */
  async update(paths: ReadonlySet<string>, onProgress: OnProgress): Promise<void> {
    const missing = [...paths].filter((path) => !this.#copies.has(path));
    await inParts('copying files', missing, onProgress, (path) => this.#copy(path));
    for (const path of this.#copies.keys()) {
      if (paths.has(path)) continue;
      await rm(filePath(this.#folder, path));
      this.#copies.delete(path);
    }
  }

  async #copy(path: string): Promise<void> {
    const file = await this.#store.open(path);
    // Removed since its path was read, so nothing refers to it any more; or lost, as `npm run doctor` reports.
    if (!file) return;
    const target = filePath(this.#folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const digest = new Digest();
    await pipeline(file.read(), digest, createWriteStream(target, { mode: 0o600, flush: true }));
    this.#copies.set(path, { size: file.size, sha256: digest.value() });
  }

  taken(): Manifest['files'] {
    return [...this.#copies].map(([path, { size, sha256 }]) => ({ path, size, sha256 }));
  }
}

/** Passes bytes through and computes their SHA-256. */
class Digest extends Transform {
  readonly #hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    done(null, chunk);
  }

  value(): string {
    return this.#hash.digest('hex');
  }
}

async function dumpTable(
  client: Client,
  { name, columns }: Table,
  folder: string,
): Promise<{ rows: number; sha256: string }> {
  const rows = client.query(copyTo(`copy "${name}" (${columns.join(', ')}) to stdout`));
  const digest = new Digest();
  const target = createWriteStream(tablePath(folder, name), { mode: 0o600, flush: true });
  await pipeline(rows, createGzip({ level: 6 }), digest, target);
  return { rows: rows.rowCount, sha256: digest.value() };
}
