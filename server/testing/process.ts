import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '#server/root.ts';
import { until } from './until.ts';

/** The server as built by `npm run build`, so that tests which start a process run what is delivered. */
export const BUILT_SERVER = join(ROOT, 'build/node/main.js');

/** The product as a separate process, as an operator runs it. */
export type ServerProcess = {
  origin: string;
  child: ChildProcess;
  /** Its output so far. */
  written(): string;
  /** Ends it with `signal` and waits until it is gone. @returns its exit code, null when the signal killed it */
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/**
 * Starts the built server and waits until it is ready.
 *
 * @param variables its whole environment, `PORT` among them
 * @param wrapper program and arguments that run Node, such as `unshare --mount`
 * @throws with its output if it ends or does not become ready
 */
export async function startServerProcess(
  variables: Record<string, string>,
  { wrapper = [], nodeOptions = [] }: { wrapper?: string[]; nodeOptions?: string[] } = {},
): Promise<ServerProcess> {
  const origin = `http://127.0.0.1:${variables.PORT}`;
  const [program = process.execPath, ...args] = [...wrapper, process.execPath, ...nodeOptions, BUILT_SERVER];
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      PUBLIC_URL: origin,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      written += chunk.toString('utf8');
    });
  }
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  await until(
    `the server on port ${variables.PORT} to be ready`,
    async () => isOver() || (await fetch(`${origin}/readyz`)).ok,
    120,
  ).catch(() => child.kill('SIGKILL'));
  if (child.killed || isOver()) throw new Error(`The server did not start:\n${written}`);
  let wanted = false;
  child.on('exit', () => {
    if (!wanted) console.error(`The server on port ${variables.PORT} ended by itself:\n${written}`);
  });
  return {
    origin,
    child,
    written: () => written,
    async end(signal) {
      wanted = true;
      if (!isOver()) {
        const exited = once(child, 'exit');
        child.kill(signal);
        await exited;
      }
      return child.exitCode;
    },
  };
}
