import { randomBytes, randomUUID } from 'node:crypto';
import { access, chmod, constants, link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
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
