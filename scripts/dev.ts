/**
 * `npm run dev`: the server and the client, each started anew or reloaded when its files change. One address to open,
 * that of Vite (`PORT`), which passes `/api` on to the server (on the port after it).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readEnv } from '#server/env.ts';

const root = `${import.meta.dirname}/..`;
const { host, port } = readEnv();
const serverPort = port + 1;

const server = run(['--watch', '--watch-preserve-output', 'server/main.ts'], {
  PORT: String(serverPort),
  PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
});
const client = run(
  ['node_modules/.bin/react-router', 'dev', '--strictPort', '--host', host, '--port', String(port)],
  { TRASVIA_API: `http://${host}:${serverPort}` },
);
const children = [server, client];

// Ctrl-C reaches the children too, a signal from elsewhere only this process.
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
