import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { execFileText } from '#server/db/cluster.ts';
import { findEmbeddedPostgres } from '#server/db/embedded.ts';
import { LOCKS } from '#server/db/locks.ts';
import { connectOwner } from '#server/db/migrate.ts';
import { freePort } from '#server/db/postmaster.ts';
import { createTestDatabase, makeTestFolder } from '#server/testing/cluster.ts';
import { BUILT_SERVER } from '#server/testing/process.ts';
import { until } from '#server/testing/until.ts';

/** A server process; `written` is all it has written so far. */
type Process = {
  child: ChildProcess;
  origin: string;
  closed: Promise<unknown>;
  written: () => { out: string; err: string };
};

let dataDir: string;
let port: number;
let databaseUrl: string;
let dropDatabase: () => Promise<void>;
let processes: ChildProcess[];

beforeEach(async () => {
  dataDir = await makeTestFolder();
  port = await freePort();
  ({ databaseUrl, drop: dropDatabase } = await createTestDatabase(inject('testCluster')));
  processes = [];
});

afterEach(async () => {
  for (const child of processes) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await dropDatabase();
  await rm(dataDir, { recursive: true });
});

/** Starts the server on the test's own port, folder and database. */
function run(variables: Record<string, string> = {}): Process {
  const child = spawn(process.execPath, [BUILT_SERVER], {
    env: {
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: 'a secret of the tests, of at least 32 characters',
      LOG_LEVEL: 'silent',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  processes.push(child);
  const text = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    text.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text.err += chunk;
  });
  return { child, origin: `http://127.0.0.1:${port}`, closed: once(child, 'close'), written: () => text };
}

async function ready(server: Process): Promise<void> {
  await until(
    'the server to be ready',
    async () => {
      if (server.child.exitCode !== null) return 'it has ended';
      return (await fetch(`${server.origin}/readyz`)).ok;
    },
    120,
  );
  expect(server.written().err).toBe('');
  expect(server.child.exitCode).toBeNull();
}

/** Waits until all its processes serve. */
async function announced(server: Process): Promise<void> {
  await until('all processes to serve', () => server.written().out.includes('2 processes'), 120);
}

async function noLongerListening({ origin }: Process): Promise<void> {
  await until('it to stop listening', () =>
    fetch(`${origin}/healthz`).then(
      () => false,
      () => true,
    ),
  );
}

/** Waits for a process to end; returns its exit code and output. */
async function endOf({ child, closed, written }: Process) {
  await closed;
  return { code: child.exitCode, ...written() };
}

/** Sends a login up to the middle of its body, so that the request stays in progress. */
async function halfRequest(): Promise<{ socket: Socket; finish: () => Promise<string> }> {
  const body = JSON.stringify({ identifier: 'nobody@trasferte.example', password: 'wrong', remember: false });
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(
    [
      'POST /api/auth/login HTTP/1.1',
      `Host: localhost:${port}`,
      `Origin: http://localhost:${port}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      // The server answers "continue" once it handles the request.
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  await once(socket, 'data');
  socket.write(body.slice(0, 10));
  return {
    socket,
    finish: async () => {
      socket.write(body.slice(10));
      await once(socket, 'close');
      return answer;
    },
  };
}

describe('a failed start exits with code 1 and one line', () => {
  test('when the port is taken, before anything is created', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const unused = join(dataDir, 'unused');
    const end = await endOf(run({ DATABASE_URL: '', AUTH_SECRET: '', DATA_DIR: unused }));
    other.close();
    expect(end).toEqual({
      code: 1,
      out: '',
      err: `PORT ${port} on 127.0.0.1 is in use by another program: stop it or choose another PORT\n`,
    });
    await expect(access(unused)).rejects.toThrow(/ENOENT/);
  });

  test('when the address is not of this machine', async () => {
    const end = await endOf(run({ HOST: '192.0.2.1' }));
    expect(end).toEqual({ code: 1, out: '', err: 'cannot listen on HOST 192.0.2.1 (EADDRNOTAVAIL)\n' });
  });

  test('when the database is unreachable', async () => {
    const nobody = await freePort();
    const end = await endOf(run({ DATABASE_URL: `postgresql://owner:hunter2@127.0.0.1:${nobody}/x` }));
    expect(end).toEqual({
      code: 1,
      out: '',
      err: `cannot reach the database at 127.0.0.1:${nobody} (connect ECONNREFUSED 127.0.0.1:${nobody})\n`,
    });
  });

  test.for([
    ['/dev/null/data', 'ENOTDIR'],
    // macOS has no `/proc`.
    ...(process.platform === 'linux' ? [['/proc/trasvia/data', 'ENOENT']] : []),
  ])('when the data folder %s cannot be written to', async ([folder = '', reason]) => {
    const end = await endOf(run({ DATA_DIR: folder }));
    expect(end).toEqual({
      code: 1,
      out: '',
      err: `DATA_DIR ${folder} cannot be written to (${reason})\n`,
    });
  });

  test('when a variable is invalid', async () => {
    const end = await endOf(run({ PORT: 'eighty' }));
    expect(end).toEqual({ code: 1, out: '', err: 'PORT must be a number from 1 to 65535, not "eighty"\n' });
  });
});

describe('with the embedded PostgreSQL', () => {
  test('the server refuses a second application on its folder, restarts after a kill, and leaves nothing running', async () => {
    const own = { DATABASE_URL: '', AUTH_SECRET: '' };
    const killed = run(own);
    await ready(killed);
    const database = await findEmbeddedPostgres(dataDir);

    const second = await endOf(run({ ...own, PORT: String(await freePort()) }));
    expect(second).toEqual({
      code: 1,
      out: '',
      err: `another application is running on DATA_DIR ${dataDir}: stop it, or use another folder\n`,
    });
    expect((await fetch(`${killed.origin}/readyz`)).status).toBe(200);

    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    const server = run({ ...own, WORKERS: '2' });
    await ready(server);
    expect(await findEmbeddedPostgres(dataDir)).toBe(database);
    await announced(server);
    expect(server.written().out).toContain(`http://localhost:${port}`);

    const underWay = await halfRequest();
    server.child.kill('SIGTERM');
    await noLongerListening(server);
    // The answer needs the database, so PostgreSQL must stop after the workers.
    expect(await underWay.finish()).toMatch(/HTTP\/1\.1 401 Unauthorized/);
    expect((await endOf(server)).code).toBe(0);
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
  }, 180_000);
});

/** The workers that a process started. */
async function workersOf({ child: { pid } }: Process): Promise<number[]> {
  const children = await (process.platform === 'linux' ? childrenByProc(pid) : childrenByPs(pid));
  return children.filter(({ command }) => command.includes('worker.js')).map((child) => child.pid);
}

type Child = { pid: number; command: string };

/** A minimal Linux has no `ps`. */
async function childrenByProc(parent: number | undefined): Promise<Child[]> {
  const children = (await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8')).trim().split(' ');
  return Promise.all(
    children.map(async (id) => ({
      pid: Number(id),
      command: await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''),
    })),
  );
}

async function childrenByPs(parent: number | undefined): Promise<Child[]> {
  const processes = await execFileText('ps', ['-Aww', '-o', 'pid=,ppid=,command=']);
  return processes.split('\n').flatMap((line) => {
    const [, pid, ppid, command = ''] = /^ *(\d+) +(\d+) +(.*)$/.exec(line) ?? [];
    return Number(ppid) === parent ? [{ pid: Number(pid), command }] : [];
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('with two workers', () => {
  test('they share the port and the metrics, a killed one is replaced, and they end with their parent', async () => {
    const metricsPort = await freePort();
    const server = run({ WORKERS: '2', METRICS_PORT: String(metricsPort) });
    await announced(server);
    const before = await workersOf(server);
    expect(before).toHaveLength(2);

    for (let count = 0; count < 20; count += 1) {
      expect((await fetch(`${server.origin}/readyz`, { headers: { Connection: 'close' } })).status).toBe(200);
    }
    const scrape = async () => {
      const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      expect(answer.status).toBe(200);
      return answer.text();
    };
    const all20 = 'http_requests_total{method="GET",route="/readyz",status="200"} 20\n';
    // A busy worker may answer too late for the first one.
    const metrics = await until('the figures of both', async () => {
      const figures = await scrape();
      return figures.includes(all20) ? figures : null;
    });
    expect(metrics).toMatch(/^job_queue_jobs\{queue="mail",state="ready"\} 0$/m);

    // Of a worker that does not answer, the last figures count.
    const [silent = 0, killed = 0] = before;
    process.kill(silent, 'SIGSTOP');
    expect(await scrape()).toContain(all20);
    process.kill(silent, 'SIGCONT');

    process.kill(killed, 'SIGKILL');
    const after = await until('the killed one to be replaced', async () => {
      const workers = await workersOf(server);
      return workers.length === 2 && !workers.includes(killed) ? workers : null;
    });
    // However long the replacement takes to load, the metrics of the other are answered.
    const loading = after.find((worker) => worker !== silent) ?? 0;
    process.kill(loading, 'SIGSTOP');
    expect(await scrape()).toContain('process_cpu_seconds_total');
    process.kill(loading, 'SIGCONT');
    await until('both to serve', async () => (await fetch(`${server.origin}/healthz`)).ok);
    expect(server.written().err).toMatch(/^A worker ended \(SIGKILL\): replacing it in 100 ms\n$/);

    server.child.kill('SIGKILL');
    await until('the workers to be gone', () => !after.some(isRunning));
    await noLongerListening(server);
  }, 180_000);

  test('nobody is let in by either before the demo accounts of an earlier start are closed', async () => {
    const demo = run({ DEMO: 'on' });
    await ready(demo);
    demo.child.kill('SIGTERM');
    await endOf(demo);
    const owner = await connectOwner(databaseUrl);
    await owner.query('begin; lock table accounts in exclusive mode');
    const server = run({ WORKERS: '2' });
    const waiting = async () =>
      (
        await owner.query(
          `select from pg_locks where not granted and relation = 'accounts'::regclass
             and database = (select oid from pg_database where datname = current_database())`,
        )
      ).rowCount;
    await until('the first password to be replaced', waiting, 120);
    await expect(fetch(`${server.origin}/healthz`)).rejects.toThrow();
    await owner.query('commit');
    await owner.end();
    await announced(server);
    const login = await fetch(`${server.origin}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: `http://localhost:${port}` },
      body: JSON.stringify({ identifier: 'demo', password: 'demo-trasvia', remember: false }),
    });
    expect(login.status).toBe(401);
  }, 180_000);
});

test('records that expired while no process ran are deleted at the start', async () => {
  const owner = await connectOwner(databaseUrl);
  await owner.query(`insert into contact_requests (first_name, last_name, phone, contact_preference, created_at)
    values ('Anna', 'Verdi', '333', 'telefono', now() - interval '366 days'),
      ('Luca', 'Neri', '333', 'telefono', now() - interval '364 days')`);
  await ready(run());
  await until('the expired request to be deleted', async () => {
    const { rows } = await owner.query('select first_name from contact_requests');
    return rows.length === 1 && rows[0].first_name === 'Luca';
  });
  await owner.end();
});

describe('on a stop signal, the server', () => {
  test.each(['SIGINT', 'SIGHUP'] as const)('exits with code 0: %s', async (signal) => {
    const server = run();
    await ready(server);
    server.child.kill(signal);
    // npm forwards a Ctrl-C that the terminal has already sent: an immediate repeat is not a second signal.
    server.child.kill(signal);
    expect(await endOf(server)).toMatchObject({ code: 0, err: '' });
  });

  test('finishes the request in progress, takes no other, and closes idle connections', async () => {
    const server = run();
    await ready(server);
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    idle.write(`GET /healthz HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    await once(idle, 'data');
    const underWay = await halfRequest();

    server.child.kill('SIGTERM');
    await once(idle, 'close');
    await expect(fetch(`${server.origin}/healthz`)).rejects.toThrow();
    expect(server.child.exitCode).toBeNull();

    expect(await underWay.finish()).toMatch(/HTTP\/1\.1 401 Unauthorized/);
    expect(await endOf(server)).toMatchObject({ code: 0, err: '' });
  });

  test('exits even while it waits at the start for another process that migrates', async () => {
    const other = await connectOwner(databaseUrl);
    await other.query('select pg_advisory_lock($1)', [LOCKS.migrations]);
    const server = run();
    await until('it to wait for the lock', async () => {
      // pg_locks also lists the databases of other tests.
      const waiting = await other.query(
        `select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return waiting.rowCount === 1;
    });
    server.child.kill('SIGTERM');
    expect(await endOf(server)).toEqual({ code: 0, out: '', err: '' });
    await other.end();
  });

  test('takes no new requests but finishes filling the demo account', async () => {
    const other = await connectOwner(databaseUrl);
    const waiting = async () =>
      (
        await other.query(
          `select from pg_locks where not granted and relation = 'projects'::regclass
             and database = (select oid from pg_database where datname = current_database())`,
        )
      ).rowCount;
    await other.query('begin; lock table projects in share row exclusive mode');
    const server = run({ DEMO: 'on' });
    await ready(server);
    await until('the first project to be made', waiting);
    server.child.kill('SIGTERM');
    await noLongerListening(server);
    expect(await waiting()).toBe(1);
    await other.query('commit');
    expect(await endOf(server)).toMatchObject({ code: 0, err: '' });
    expect((await other.query('select from projects limit 1')).rowCount).toBe(1);
    await other.end();
  });

  test('exits at once on a second signal', async () => {
    const server = run();
    await ready(server);
    const { socket } = await halfRequest();
    socket.on('error', () => undefined);
    server.child.kill('SIGTERM');
    await until(
      'the second signal to end it',
      () => {
        server.child.kill('SIGTERM');
        return server.child.exitCode !== null;
      },
      // Long before it would give up stopping, and long enough for a busy machine.
      20,
    );
    expect(server.child.exitCode).toBe(1);
  });
});
