import { randomBytes, randomUUID } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  link,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '#server/start-error.ts';

/**
 * Creates a missing `DATA_DIR`, accessible to this user only. When this user is root, others may traverse the folder
 * but not list it, because PostgreSQL then runs as another user in a folder inside it.
 *
 * @throws {StartError} when it cannot be created or written to.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(resolve(dataDir), 0o700);
    if (process.getuid?.() === 0) await chmod(dataDir, (await stat(dataDir)).mode | 0o011);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StartError(`DATA_DIR ${dataDir} cannot be written to (${errorCode(cause)})`, { cause });
  }
}

/**
 * Creates a folder and its missing parents. Node's recursive `mkdir` never ends where the system has no place for a
 * folder, as in `/proc` or below an automounter whose server is missing.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const isFolder = (at: string) =>
    stat(at).then(
      (found) => found.isDirectory(),
      () => false,
    );
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' && (await isFolder(path))) return;
    if (code !== 'ENOENT' || (await isFolder(dirname(path)))) throw error;
    await makeFolder(dirname(path), mode);
    await makeFolder(path, mode);
  }
}

/** SQLite's error code while another process holds the lock (https://sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5;

/** How long to retry a held lock. The system releases the lock of a killed process in far less time. */
const RELEASE_PATIENCE_MS = 1_000;

/**
 * Locks a prepared `DATA_DIR` for this process, until `release()` or the end of the process. A file-system lock works
 * across containers that share the folder; PostgreSQL's own lock checks a process id, which means nothing in another
 * container. Node offers file locks only through SQLite; the database file stays empty.
 *
 * @throws {StartError} when another process holds the lock, or the file system does not support locks.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): void }> {
  const path = join(dataDir, 'lock');
  const deadline = Date.now() + RELEASE_PATIENCE_MS;
  for (;;) {
    let file: DatabaseSync | undefined;
    try {
      await makeLockFile(path);
      file = new DatabaseSync(path);
      file.exec('pragma journal_mode = memory; begin exclusive');
      const held = file;
      return { release: () => held.close() };
    } catch (cause) {
      file?.close();
      if (!isBusy(cause)) {
        throw new StartError(
          `DATA_DIR ${dataDir} cannot be locked (${cause instanceof Error ? cause.message : cause})`,
          { cause },
        );
      }
      if (Date.now() > deadline) {
        throw new StartError(
          `another application is running on DATA_DIR ${dataDir}: stop it, or use another folder`,
          { cause },
        );
      }
    }
    await wait(50);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

/** Writes the file only if it is missing: closing a file releases every lock that this process holds on it. */
async function makeLockFile(path: string): Promise<void> {
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
}

/** Shortest secret, in characters. A shorter one in a file is the remainder of a damaged one, and could be guessed. */
export const SECRET_LENGTH = 32;

/**
 * A random 256-bit secret (64 hexadecimal digits), stored in `DATA_DIR/<name>` and readable by its owner only. It is
 * created on first use; processes that start at the same time all get the same one.
 * @throws {StartError} when the file cannot be read or written, or is damaged
 */
export async function keptSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  return (await readSecret(path)) ?? (await makeSecret(path));
}

async function readSecret(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new StartError(`cannot read ${path} (${errorCode(error)})`, { cause: error });
  });
  const secret = text?.trim();
  if (secret !== undefined && secret.length < SECRET_LENGTH)
    throw new StartError(
      `${path} is damaged: it has fewer than ${SECRET_LENGTH} characters; restore it from a backup`,
    );
  return secret;
}

/** Linked into place, so that the first process wins. */
async function makeSecret(path: string): Promise<string> {
  const secret = randomBytes(32).toString('hex');
  try {
    await writeSecret(path, secret, link);
    return secret;
  } catch (error) {
    const winner = errorCode(error) === 'EEXIST' ? await readSecret(path) : undefined;
    if (winner) return winner;
    throw new StartError(`cannot write ${path} (${errorCode(error)})`, { cause: error });
  }
}

/**
 * Stores a secret in `DATA_DIR/<name>`, in place of the former one if there is one.
 * @throws {StartError} when it cannot be written; the former one is then unchanged
 */
export async function replaceSecret(dataDir: string, name: string, secret: string): Promise<void> {
  const path = join(dataDir, name);
  await writeSecret(path, secret, rename).catch((cause: unknown) => {
    throw new StartError(`cannot write ${path} (${errorCode(cause)})`, { cause });
  });
}

/** Writes a temporary file, then puts it `into` its place: a crash or a full disk cannot leave half a secret. */
async function writeSecret(path: string, secret: string, into: typeof rename): Promise<void> {
  const draft = `${path}.${randomUUID()}.new`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(`${secret}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await into(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The code of a failed file or network operation (`ENOENT`, `EACCES`, …), or a PostgreSQL error code. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'unknown error';
}
