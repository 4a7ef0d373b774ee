/**
 * `npm run dev`: the server and the client, each restarted or reloaded when its files change. Open the address of Vite
 * (`PORT`), which forwards `/api` to the server on the next port.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readEnv } from '#server/env.ts';
import { devVariables } from './dev-variables.ts';

const root = `${import.meta.dirname}/..`;
const env = readEnv();
const { host, port } = env;
const variables = devVariables(env);

const server = run(['--watch', '--watch-preserve-output', 'server/main.ts'], variables.server);
const client = run(
  ['node_modules/.bin/react-router', 'dev', '--strictPort', '--host', host, '--port', String(port)],
  variables.client,
);
const children = [server, client];

// Ctrl-C also reaches the children, other signals only this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
await Promise.race(children.map((child) => once(child, 'exit')));
stop();

function run(args: string[], variables: Record<string, string>): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'development', ...variables },
  });
}

function stop(): void {
  for (const child of children) child.kill('SIGTERM');
}
