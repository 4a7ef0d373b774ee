import { AsyncLocalStorage } from 'node:async_hooks';
import { Client } from 'pg';
import type { Statement } from './floor.ts';
import type { Request } from './generator.ts';
import type { World } from './world.ts';

/** Statements of the current request in this process. */
const recording = new AsyncLocalStorage<Statement[]>();

/** Lets `record` see the statements of this process from now on. */
export function recordStatements(): void {
  const send: (...input: unknown[]) => unknown = Client.prototype.query;
  Object.assign(Client.prototype, {
    query(this: Client, ...input: unknown[]) {
      const [query, values] = input;
      const statement = typeof query === 'string' ? { text: query, values } : query;
      // The check of an administrator's session belongs to the accounts, which the floor may not read.
      if (isStatement(statement) && !this.user?.startsWith('trasvia_auth')) {
        const { name, text } = statement;
        recording
          .getStore()
          ?.push({ text, values: statement.values ?? arrayOf(values), ...(name && { name }) });
      }
      return send.apply(this, input);
    },
  });
}

function isStatement(query: unknown): query is { text: string; values?: unknown[]; name?: string } {
  return typeof query === 'object' && query !== null && 'text' in query && typeof query.text === 'string';
}

function arrayOf(values: unknown): unknown[] {
  return Array.isArray(values) ? values : [];
}

/** The client address of a request that arrives without a connection. */
const INCOMING = {
  incoming: { socket: { remoteAddress: '127.0.0.1', remotePort: 1, remoteFamily: 'IPv4' } },
};

/** The application's answer to a request, and the statements it ran. */
export async function record(world: World, request: Request) {
  const { method = 'GET', path, headers, body } = request;
  const statements: Statement[] = [];
  const answer = await recording.run(statements, () =>
    world.app.request(`${world.server.origin}${path}`, { method, headers, body }, INCOMING),
  );
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return { statements, body: await answer.text(), type: answer.headers.get('content-type') ?? '' };
}
