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

/** The main process of a running PostgreSQL. `port` is `null` until the server has recorded one. */
export type Postmaster = { pid: number; port: number | null };

/** Interval at which conditions outside this process are checked, in milliseconds. */
export const POLL_MS = 20;

/**
 * Settings for a small machine that never loses an acknowledged write. Passed at each start, so that changes in the
 * code take effect.
 */
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
  // The application reports failed statements; in this log, their text could contain user input.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/**
 * The PostgreSQL running on a cluster, whoever started it; `null` when there is none. A pid file left by a killed
 * server is ignored, even if its number now belongs to another process.
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
 * Starts PostgreSQL on a cluster, detached from this process: it outlives this process, and Ctrl-C in the terminal does
 * not reach it.
 *
 * @returns a function that gives the reasons logged by a server that has exited; `undefined` while it runs.
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
        // PostgreSQL mistakes a running process for its predecessor if it has the number in the pid file. The caller
        // has ruled that out; this variable makes the server ignore the number.
        env: stale ? { PG_GRANDPARENT_PID: String(stale.pid) } : {},
      },
    );
    await once(child, 'spawn');
    child.unref();
    return async () => {
      if (child.exitCode === null && child.signalCode === null) return undefined;
      const written = (await readFile(logPath)).subarray(start).toString('utf8').trim().split('\n');
      // Replies to clients that connected too early are not reasons.
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
 * Stops PostgreSQL: ends sessions, rolls back running transactions, and flushes all data. A server that takes longer
 * than 30 seconds is told to quit immediately and recovers at its next start.
 * @throws when it does not stop
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
      // It ended before the signal; the check below finds it gone.
    }
    const deadline = Date.now() + patienceMs;
    while (Date.now() < deadline) {
      if (!(await findPostmaster(clusterDir))) return;
      await wait(POLL_MS);
    }
  }
  throw new Error('PostgreSQL does not stop');
}

/** Below the ports used for outgoing connections, which could be taken again before PostgreSQL listens. */
const LOWEST_PORT = 10_240;
const HIGHEST_PORT = 32_767;

/** A TCP port of the loopback address that nothing listens on at the moment. */
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

/** Whether a process is the main process of PostgreSQL on this cluster. */
async function isPostmaster(pid: number, clusterDir: string): Promise<boolean> {
  try {
    if (process.platform !== 'linux') {
      const command = await execFileText('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
      return /\bpostgres\b/.test(command) && command.includes(`-D ${clusterDir}`);
    }
    const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    // The server's working directory is its cluster. So is that of its helper processes, but they rename themselves to
    // "postgres: …".
    return basename(program) === 'postgres' && (await realpath(`/proc/${pid}/cwd`)) === clusterDir;
  } catch {
    return false;
  }
}
