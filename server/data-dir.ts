import { randomBytes, randomUUID } from 'node:crypto';
import { access, chmod, constants, link, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '#server/start-error.ts';

/**
 * Makes `DATA_DIR` when it is missing, for this user alone. As root it can also be crossed, though not listed, by
 * others: PostgreSQL then runs as another user in a folder inside it.
 *
 * @throws {StartError} when it cannot be made or written to.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    if (process.getuid?.() === 0) await chmod(dataDir, (await stat(dataDir)).mode | 0o011);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StartError(`DATA_DIR ${dataDir} cannot be written to (${errorCode(cause)})`, { cause });
  }
}

/** What SQLite answers while another process holds a file (https://sqlite.org/rescode.html#busy). */
const SQLITE_BUSY = 5;

/** A process that was killed holds what it held until the system has cleared it away: far less than this. */
const RELEASE_PATIENCE_MS = 1_000;

/**
 * Takes a prepared `DATA_DIR` for this process, until `release()` or until the process ends in any way. The file system's
 * lock is the same for all containers that share the folder; PostgreSQL's own looks for a process by its number, which
 * says nothing in another container. Node has no such lock but the one of SQLite, whose file stays empty.
 *
 * @throws {StartError} when another process has it, or the file system has no locks.
 */
export async function holdDataDir(dataDir: string): Promise<{ release(): void }> {
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

/** Only where there is none: to close a file gives up every lock that this process has on it. */
async function makeLockFile(path: string): Promise<void> {
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
}

/**
 * A random secret of 256 bits (64 hexadecimal digits) kept in `DATA_DIR/<name>`, readable by its owner alone. It is
 * made the first time; processes that start at once all get the same one.
 */
export async function keptSecret(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, name);
  return (await readSecret(path)) ?? (await makeSecret(path));
}

async function readSecret(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new StartError(`cannot read ${path} (${errorCode(error)})`, { cause: error });
  }
}

/** Written whole beside its place, then linked there: a crash cannot leave half a secret, and the first one wins. */
async function makeSecret(path: string): Promise<string> {
  const secret = randomBytes(32).toString('hex');
  const draft = `${path}.${randomUUID()}.new`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(`${secret}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path);
    return secret;
  } catch (error) {
    const winner = errorCode(error) === 'EEXIST' ? await readSecret(path) : undefined;
    if (winner) return winner;
    throw new StartError(`cannot write ${path} (${errorCode(error)})`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}

/** The system's name for a failed file or network operation (`ENOENT`, `EACCES`, …), or a PostgreSQL error code. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'unknown error';
}
