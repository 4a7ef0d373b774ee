import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { open, readFile, readlink, realpath } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '#server/data-dir.ts';
import type { Cluster } from '#server/db/cluster.ts';
import { execFileText } from '#server/db/cluster.ts';

/** The main process of a running PostgreSQL. `port` is `null` while it is still too early for one. */
export type Postmaster = { pid: number; port: number | null };

/** How often a condition outside this process is looked at again, in milliseconds. */
export const POLL_MS = 20;

/** Settings for a small machine that loses no acknowledged write. Given at each start, so that they follow the code. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // A failed statement is the application's to report; here its text could hold what users wrote.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/**
 * The PostgreSQL that runs on a cluster, whoever started it; `null` when there is none. A pid file left by a killed
 * server does not count, not even when its number now belongs to another process.
 */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | null> {
  const recorded = await readPidFile(clusterDir);
  return recorded && (await isPostmaster(recorded.pid, clusterDir)) ? recorded : null;
}

/** The program a process runs; `null` where the system does not tell. */
export async function programOf(pid: number): Promise<string | null> {
  return readlink(`/proc/${pid}/exe`).catch(() => null);
}

/**
 * Starts PostgreSQL on a cluster, apart from this process: it outlives it, and a Ctrl-C in the terminal does not reach it.
 *
 * @returns a function that tells, once the server has given up, the reasons it wrote down; `undefined` while it runs.
 */
export async function spawnPostmaster(
  cluster: Cluster,
  { logPath, port, maxConnections }: { logPath: string; port: number; maxConnections: number },
): Promise<() => Promise<string[] | undefined>> {
  const stale = await readPidFile(cluster.dir);
  const log = await open(logPath, 'a', 0o600);
  try {
    const { size: start } = await log.stat();
    const settings = Object.entries({
      ...SETTINGS,
      port: String(port),
      max_connections: String(maxConnections),
    });
    const child = spawn(
      cluster.binaries.postgres,
      ['-D', cluster.dir, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        ...cluster.account,
        cwd: '/',
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
        // PostgreSQL takes a living process for its predecessor if it has the number in the pid file. The caller has
        // looked closer: this variable tells the server that the number means nothing.
        env: stale ? { PG_GRANDPARENT_PID: String(stale.pid) } : {},
      },
    );
    await once(child, 'spawn');
    child.unref();
    return async () => {
      if (child.exitCode === null && child.signalCode === null) return undefined;
      const written = (await readFile(logPath)).subarray(start).toString('utf8').trim().split('\n');
      // What a caller who came too early was told is no reason.
      const reasons = written.filter(
        (line) => /FATAL|PANIC/.test(line) && !/the database system is /.test(line),
      );
      return reasons.length > 0 ? reasons : written.slice(-1);
    };
  } finally {
    await log.close();
  }
}

/**
 * Stops PostgreSQL: sessions are cut, transactions under way rolled back, all data flushed. A server that takes longer
 * than 30 seconds is told to quit at once and recovers at its next start.
 */
export async function stopPostmaster(clusterDir: string): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    const postmaster = await findPostmaster(clusterDir);
    if (!postmaster) return;
    try {
      process.kill(postmaster.pid, signal);
    } catch {
      // It ended between the look and the signal: the look below finds it gone.
    }
    const deadline = Date.now() + patienceMs;
    while (Date.now() < deadline) {
      if (!(await findPostmaster(clusterDir))) return;
      await wait(POLL_MS);
    }
  }
  throw new Error('PostgreSQL does not stop');
}

/** Below the ports that systems give to outgoing connections: one of those may be taken again before it is listened on. */
const LOWEST_PORT = 10_240;
const HIGHEST_PORT = 32_767;

/** A TCP port of the loopback address that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT + 1);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch (error) {
      if (errorCode(error) === 'EADDRINUSE') continue;
      throw error;
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

/** `postmaster.pid` holds, line by line: process, cluster, start time, port, … */
async function readPidFile(clusterDir: string): Promise<Postmaster | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, , , port] = text.split('\n').map(Number);
  return pid && pid > 0 ? { pid, port: port && port > 0 ? port : null } : null;
}

/** Whether a process is the main process of a PostgreSQL on this very cluster. */
async function isPostmaster(pid: number, clusterDir: string): Promise<boolean> {
  try {
    if (process.platform !== 'linux') {
      const command = await execFileText('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
      return /\bpostgres\b/.test(command) && command.includes(`-D ${clusterDir}`);
    }
    const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    // The server moves into its cluster; its helpers do too, but rename themselves to "postgres: …".
    return basename(program) === 'postgres' && (await realpath(`/proc/${pid}/cwd`)) === clusterDir;
  } catch {
    return false;
  }
}
