/**
 * The floor of a route, the least it could cost: `node:http` and `pg` run the same statements and send the same bytes, with
 * nothing in between. A separate process, started by bench/load-programs.ts, which tells it what to answer.
 */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openPool } from '#server/db/pool.ts';

/** One statement as the application sent it; with a name, its connections cache the plan. */
export type Statement = { text: string; values: unknown[]; name?: string };

/** The floor's answer to each request: it runs the statements in parallel and sends these bytes, or sends a file. */
export type Answer = {
  databaseUrl: string;
  statements: Statement[];
  type: string;
  body: string;
  file: string | null;
};

let answer: Answer | undefined;
let pool = openPool({});

process.on('message', async (next: Answer) => {
  if (next.databaseUrl !== answer?.databaseUrl) {
    await pool.end();
    pool = openPool({ connectionString: next.databaseUrl, options: '-c role=trasvia_app', max: 20 });
  }
  answer = next;
  process.send?.('ready');
});
process.on('disconnect', () => process.exit());

const server = createServer(async (_, response) => {
  const { statements = [], type = '', body = '', file = null } = answer ?? {};
  await Promise.all(statements.map((statement) => pool.query(statement)));
  response.setHeader('Content-Type', type);
  if (file === null) response.end(body);
  else createReadStream(file).pipe(response);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
