import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { sql } from 'drizzle-orm';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { Hono } from 'hono';
import { describe, expect, test as unit } from 'vitest';
import type { ErrorBody } from '#contract/error-body.ts';
import { openPool } from '#server/db/pool.ts';
import { freePort } from '#server/db/postmaster.ts';
import { readAs, SYSTEM, transaction } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import { openLog } from '#server/operations/log.ts';
import { errorOf, type Visitor } from '#server/testing/client.ts';
import { startFaultyProxy } from '#server/testing/faulty-proxy.ts';
import { test } from '#server/testing/test.ts';
import { until } from '#server/testing/until.ts';
import type { AppEnv } from './env.ts';
import { fieldsOf, onError } from './error-answers.ts';
import { createHttpServer } from './listener.ts';
import { nameRequest, requestLog, wellFormedRequest } from './requests.ts';
import { toSpreadsheet } from './spreadsheet.ts';

const LOGIN = '/api/auth/login';
const json = { 'Content-Type': 'application/json' };

async function post(
  visitor: Visitor,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = json,
  path = LOGIN,
) {
  const response = await visitor.request(path, { method: 'POST', headers, body });
  const answer = (await response.json()) as ErrorBody;
  return { status: response.status, ...answer.error };
}

describe('invalid input', () => {
  test('malformed JSON is refused', async ({ server }) => {
    expect(await post(server.anonymous(), '{"identifier":')).toMatchObject({
      status: 400,
      code: 'malformed_json',
    });
  });

  test('bytes that are not UTF-8 are refused', async ({ server }) => {
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    expect(await post(server.anonymous(), body)).toMatchObject({ status: 400, code: 'malformed_text' });
  });

  test('a NUL escaped in JSON or in the address is refused', async ({ server }) => {
    const visitor = server.anonymous();
    const escaped = JSON.stringify({ identifier: 'a\0b', password: 'segreto' });
    expect(await post(visitor, escaped)).toMatchObject({
      status: 400,
      code: 'malformed_text',
      fields: { identifier: expect.stringContaining('carattere invisibile') },
    });
    const nested = JSON.stringify({ people: [{ name: 'Anna' }, { name: 'Mario', note: 'a\0b' }] });
    expect(Object.keys((await post(visitor, nested)).fields ?? {})).toEqual(['people.1.note']);
    expect((await post(visitor, JSON.stringify({ 'a\0b': 'c' }))).fields).toBeUndefined();
    for (const bytes of ['%00', '%FF', '%E8'])
      expect(await post(visitor, '{}', json, `${LOGIN}?x=${bytes}`)).toMatchObject({
        status: 400,
        code: 'malformed_text',
      });
  });

  test('a backslash that only looks like an escaped NUL is accepted as text', async ({ server }) => {
    const body = JSON.stringify({ identifier: 'a\\u0000b@example.com', password: 'segreto' });
    expect(await post(server.anonymous(), body)).toMatchObject({ status: 401, code: 'invalid_credentials' });
  });

  test('a NUL is looked for in JSON of any depth', async ({ server }) => {
    const depth = 400_000;
    const nested = (text: string) => `{"x":${'['.repeat(depth)}"${text}"${']'.repeat(depth)}}`;
    const code = async (body: string) => (await post(server.anonymous(), body)).code;
    const refused = await post(server.anonymous(), nested('\\u0000'));
    expect([refused.code, refused.fields]).toEqual(['malformed_text', undefined]);
    expect(await code(nested('\\\\u0000'))).toBe('invalid_input');
  });

  test('10 MB of JSON are refused', async ({ server }) => {
    const body = JSON.stringify({ identifier: 'x'.repeat(10_485_760) });
    expect(await post(server.anonymous(), body)).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  test('more than 1 MB is refused as too large, whatever content type it names', async ({ server }) => {
    for (const type of ['application/pdf', 'text/plain', 'application/octet-stream']) {
      const answer = await post(server.anonymous(), 'x'.repeat(1_100_000), { 'Content-Type': type });
      expect([type, answer.status, answer.code]).toEqual([type, 413, 'payload_too_large']);
    }
  });

  test('1 MB is the most that is read, to the byte', async ({ server }) => {
    const type = { 'Content-Type': 'text/plain' };
    const status = async (bytes: number) => (await post(server.anonymous(), 'x'.repeat(bytes), type)).status;
    expect([await status(1_048_576), await status(1_048_577)]).toEqual([415, 413]);
  });

  test('the name of a content type counts in any case, and without its parameters', async ({ server }) => {
    const type = { 'Content-Type': 'Application/JSON; Charset=UTF-8' };
    const answer = await post(server.anonymous(), '{"identifier":"a@b.it","password":"x"}', type);
    expect(answer).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(await post(server.anonymous(), '{"identifier":', type)).toMatchObject({ code: 'malformed_json' });
  });

  test('more than 1 MB of JSON whose length is not announced is refused', async ({ server }) => {
    const body = new Blob([JSON.stringify({ identifier: 'x'.repeat(1_100_000) })]).stream();
    // Node requires `duplex` with a stream; the browsers' types, which apply here, do not know it.
    const streamed = { method: 'POST', headers: json, body, duplex: 'half' };
    const answer = await server.anonymous().request(LOGIN, streamed);
    expect(await errorOf(answer)).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  test('a body in more than a thousand pieces of a byte is refused', async ({ server }) => {
    const codes = [];
    for (const pieces of [1000, 1100]) {
      const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
      socket.write(`POST ${LOGIN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`);
      socket.write('Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n');
      socket.write(`${'1\r\n{\r\n'.repeat(pieces)}0\r\n\r\n`);
      codes.push(/"code":"(\w+)"/.exec(await text(socket))?.[1]);
    }
    expect(codes).toEqual(['malformed_json', 'payload_too_large']);
  });

  test('another content type, or none, is refused', async ({ server }) => {
    const visitor = server.anonymous();
    for (const type of ['text/plain', 'application/xml', 'application/problem+json', '']) {
      const answer = await post(visitor, '{"identifier":"a","password":"b"}', { 'Content-Type': type });
      expect(answer).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    }
  });

  test('missing, invalid and unknown fields are reported, each with an Italian message', async ({
    server,
  }) => {
    const answer = await post(server.anonymous(), JSON.stringify({ identifier: 5, ruolo: 'admin' }));
    expect(answer).toMatchObject({
      status: 422,
      code: 'invalid_input',
      fields: {
        identifier: 'Inserisci email/username e password per accedere.',
        password: 'Inserisci email/username e password per accedere.',
        ruolo: 'Campo non previsto: ruolo',
      },
    });
  });

  unit('of several messages about a field, the first is reported', () => {
    const issue = (message: string) => ({ code: 'custom' as const, path: ['people', 0, 'name'], message });
    expect(fieldsOf({ issues: [issue('Manca'), issue('È breve')] })).toEqual({ 'people.0.name': 'Manca' });
  });

  test('as many unknown fields as a body can contain do not make a large answer', async ({ server }) => {
    const keys = Array.from({ length: 70_000 }, (_, index) => `k${index}`);
    const unknown = JSON.stringify(Object.fromEntries(keys.map((key) => [key, 1])));
    const visitor = await server.as(await server.make.user());
    for (const path of [LOGIN, '/api/projects']) {
      const { status, fields = {} } = await post(visitor, unknown, json, path);
      expect([status, Object.keys(fields).length]).toEqual([422, 1000]);
      expect(JSON.stringify(fields).length).toBeLessThan(100_000);
    }
    const two = await post(visitor, JSON.stringify({ identifier: 'a', password: 'b', primo: 1, secondo: 2 }));
    expect(two.fields).toEqual({
      primo: 'Campo non previsto: primo',
      secondo: 'Campo non previsto: secondo',
    });
  });

  test('SQL in a username is treated as text', async ({ server }) => {
    const identifier = "x'; drop table profiles; --";
    const answer = await post(server.anonymous(), JSON.stringify({ identifier, password: 'segreto' }));
    expect(answer).toMatchObject({ status: 401, code: 'username_not_found' });
  });

  test('a parameter given twice is refused', async ({ server }) => {
    const visitor = await server.as(await server.make.user());
    const status = async (query: string) => (await visitor.request(`/api/search?${query}`)).status;
    expect([await status('q=ponte'), await status('q=ponte&q=diga')]).toEqual([200, 422]);
  });

  test('TRACE is refused and does not echo the request', async ({ server }) => {
    const [status, body] = await new Promise<[number | undefined, string]>((resolve, reject) => {
      const request = httpRequest(`${server.origin}/api/me`, {
        method: 'TRACE',
        headers: { Cookie: 'segreto' },
      });
      request.on('error', reject);
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve([response.statusCode, text]));
      });
      request.end();
    });
    expect(status).toBe(405);
    expect(body).not.toContain('segreto');
  });

  test('a method that an API path does not support is answered with 405 and the allowed ones', async ({
    server,
  }) => {
    const visitor = server.anonymous();
    for (const [method, path, allowed] of [
      ['DELETE', '/api/projects', 'GET, HEAD, POST'],
      ['POST', '/api/projects/7', 'GET, HEAD, PATCH, DELETE'],
      ['GET', '/api/auth/login', 'POST'],
    ] as const) {
      const response = await visitor.request(path, { method });
      expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, allowed]);
      expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed' } });
    }
    expect((await visitor.request('/api/nulla', { method: 'POST' })).status).toBe(404);
    expect((await visitor.request('/api/projects')).status).toBe(401);
  });

  test('an unknown API path is not found', async ({ server }) => {
    const response = await server.anonymous().request('/api/nulla');
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
  });
});

describe('the origin check', () => {
  test('refuses writes from another site, by Origin or Sec-Fetch-Site', async ({ server }) => {
    const send = (headers: Record<string, string>) =>
      fetch(`${server.origin}${LOGIN}`, {
        method: 'POST',
        headers: { ...json, ...headers },
        body: '{"identifier":"a@b.it","password":"x"}',
      });
    const foreign = await send({ Origin: 'https://altro.example' });
    expect([foreign.status, await foreign.json()]).toMatchObject([
      403,
      { error: { code: 'foreign_origin' } },
    ]);
    expect((await send({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await send({ Origin: 'null' })).status).toBe(403);
    expect((await send({ Origin: server.origin })).status).toBe(401);
  });

  test('refuses writes from another site that need no preflight', async ({ server }) => {
    const visitor = await server.as(await server.make.user());
    const form = new FormData();
    form.set('file', new File(['x'], 'foto.png'));
    const send = (path: string, method: string, Origin: string, body: FormData | null) =>
      fetch(`${server.origin}${path}`, { method, headers: { Cookie: visitor.cookies(), Origin }, body });
    for (const [path, method, body, own] of [
      ['/api/me/picture', 'PUT', form, 422],
      ['/api/invoices', 'POST', form, 403],
      ['/api/auth/refresh', 'POST', null, 200],
      ['/api/me', 'PATCH', form, 415],
      ['/api/projects/1', 'DELETE', null, 404],
    ] as const) {
      const foreign = await send(path, method, 'https://altro.example', body);
      expect([path, await foreign.json()]).toMatchObject([path, { error: { code: 'foreign_origin' } }]);
      expect([path, (await send(path, method, server.origin, body)).status]).toEqual([path, own]);
    }
  });
});

describe('every response', () => {
  test('has a request id, no-store and the security headers', async ({ server }) => {
    const response = await server.anonymous().request('/api/me');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
  });

  test('ignores a request id sent by the client', async ({ server }) => {
    const response = await server.anonymous().request('/api/me', { headers: { 'X-Request-Id': 'mio' } });
    expect(response.headers.get('x-request-id')).not.toBe('mio');
  });
});

describe('the log', () => {
  type Line = Record<string, unknown>;

  /** The log lines of the requests that `ask` makes. */
  async function linesOf(ask: (app: Hono<AppEnv>, lines: Line[]) => Promise<unknown>): Promise<Line[]> {
    const lines: Line[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()));
        done();
      },
    });
    const services = { log: openLog('info', stream), metrics: { observeRequest: () => undefined } };
    const app = new Hono<AppEnv>();
    app.onError(onError);
    app.use(async (c, next) => {
      c.set('services', services as unknown as AppEnv['Variables']['services']);
      await next();
    });
    app.use(nameRequest, requestLog);
    app.get('/people/:id', (c) => {
      if (c.req.param('id') === '2') throw new AppError('forbidden');
      if (c.req.param('id') === '3') throw new Error('out of order\n{"level":30,"msg":"forged"}');
      return c.text('Anna Verdi');
    });
    app.post('/people', wellFormedRequest, (c) => c.text('Anna Verdi'));
    await ask(app, lines);
    return lines;
  }

  unit('has time, route, status and failure code of each request, and no personal data', async () => {
    const lines = await linesOf(async (app) => {
      const headers = { Cookie: 'segreto', 'X-Forwarded-For': '203.0.113.7', 'User-Agent': 'segreto' };
      await app.request('/people/1?search=segreto', { headers });
      await app.request('/people/2', { headers });
    });
    const line = { requestId: expect.any(String), method: 'GET', route: '/people/:id', msg: 'request' };
    expect(lines).toMatchObject([
      { ...line, level: 30, time: expect.any(Number), status: 200, ms: expect.any(Number) },
      { ...line, status: 403, failure: 'forbidden' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/segreto|203\.0\.113|Anna/);
  });

  unit('has the full error on one line, under the request id of the response', async () => {
    let answered = '';
    const lines = await linesOf(async (app) => {
      const answer = await app.request('/people/3');
      answered = await answer.text();
      expect(answer.status).toBe(500);
    });
    expect(answered).not.toMatch(/out of order|stack|requests\.test/);
    const [failure, request] = lines;
    expect(lines).toHaveLength(2);
    expect(failure).toMatchObject({ level: 50, err: { message: expect.stringContaining('forged') } });
    expect(request).toMatchObject({ status: 500, failure: 'internal', requestId: failure?.requestId });
    expect(answered).toContain(String(failure?.requestId));
  });

  unit(
    'has the failure of an export that breaks off, and nothing shows the parameters of its query',
    async () => {
      async function* pages() {
        yield [];
        throw new DrizzleQueryError('select $1', ['segreto'], new Error('connection lost'));
      }
      const lines = await linesOf(async (app) => {
        app.get('/export', async (c) =>
          c.body(await toSpreadsheet(c, 'csv', 'Fatture', [], async () => pages()), 200),
        );
        const answer = await app.request('/export');
        const failure = await answer.text().catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(Error);
        expect(inspect(failure)).not.toContain('segreto');
      });
      expect(lines).toMatchObject([
        { msg: 'request', status: 200 },
        {
          level: 50,
          msg: 'export aborted',
          requestId: lines[0]?.requestId,
          err: { message: 'Failed query: select $1' },
        },
      ]);
      expect(JSON.stringify(lines)).not.toContain('segreto');
    },
  );

  unit('has no error when whoever asked for an export goes away', async () => {
    const lines = await linesOf(async (app, written) => {
      async function* pages() {
        for (;;) yield [];
      }
      app.get('/export', async (c) =>
        c.body(await toSpreadsheet(c, 'csv', 'Fatture', [], async () => pages()), 200),
      );
      const answer = await app.request('/export');
      const reader = answer.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await until('the end of the export to be logged', () => written.length > 1);
    });
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [30, 'request'],
      [30, 'export aborted'],
    ]);
  });

  unit('does not mistake a client that disconnects for a lost database', async () => {
    const lines = await linesOf(async (app, written) => {
      const server = createHttpServer(app.fetch);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const headers = { ...json, 'Content-Length': 1_000 };
      const sender = httpRequest({ port, host: '127.0.0.1', path: '/people', method: 'POST', headers });
      sender.on('error', () => undefined);
      server.on('request', () => sender.destroy());
      sender.write('{"name":');
      await until('the request to be logged', () => written.length > 0);
      server.close();
    });
    expect(lines).toMatchObject([{ level: 30, status: 400, failure: 'malformed_json', route: '/people' }]);
  });

  test('distinguishes a lost database from other errors with a network code', async ({ server }) => {
    const databaseUrl = server.services.env.databaseUrl ?? '';
    const url = new URL(databaseUrl);
    const proxy = await startFaultyProxy(Number(url.port || 5432));
    const openOn = (port: number) => {
      url.port = String(port);
      return openPool({ connectionString: url.href });
    };
    const [away, reset, own] = [
      openOn(await freePort()),
      openOn(proxy.port),
      openPool({ connectionString: databaseUrl }),
    ];
    const raised = (code: string) => () =>
      transaction(own, SYSTEM, (tx) =>
        tx.execute(sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`)),
      );
    const failures: [path: string, fail: () => Promise<unknown>][] = [
      ['refused', () => transaction(away, SYSTEM, async () => undefined)],
      ['refused-read', () => readAs(away, SYSTEM).execute(sql`select 1`)],
      [
        'reset',
        () =>
          transaction(reset, SYSTEM, async (tx) => {
            proxy.set('reset');
            await tx.execute(sql`select 1`);
          }),
      ],
      [
        'ended',
        () =>
          transaction(own, SYSTEM, (tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)),
      ],
      ['full', raised('53100')],
      ['busy', raised('53300')],
      ['starting', raised('57P03')],
      ['broken', raised('08006')],
      ['cancelled', raised('57014')],
      ['too-large', raised('54000')],
      ['wrong', () => transaction(own, SYSTEM, (tx) => tx.execute(sql`select 1/0`))],
      ['other', () => Promise.reject(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))],
    ];
    const lines = await linesOf(async (app) => {
      for (const [path, fail] of failures) {
        app.get(`/${path}`, async (c) => c.json(await fail()));
      }
      for (const [path] of failures) await app.request(`/${path}`);
    });
    await Promise.all([away.end(), reset.end(), own.end(), proxy.stop()]);
    const answered = lines.filter(({ msg }) => msg === 'request').map(({ route, status }) => [route, status]);
    expect(answered).toEqual([
      ['/refused', 503],
      ['/refused-read', 503],
      ['/reset', 503],
      ['/ended', 503],
      ['/full', 503],
      ['/busy', 503],
      ['/starting', 503],
      ['/broken', 503],
      ['/cancelled', 500],
      ['/too-large', 500],
      ['/wrong', 500],
      ['/other', 500],
    ]);
  });
});

describe('the log of a failed statement', () => {
  test('has the statement and the error code of PostgreSQL, but no values', async ({ server }) => {
    let written = '';
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written += chunk;
        done();
      },
    });
    const log = openLog('info', stream);
    const { pool } = server.services;
    const failing = [
      sql`insert into contact_requests (first_name) values (${'Anna Segreta'})`,
      sql`select ${'Anna Segreta'}::text::int`,
      sql`insert into contact_requests (first_name, last_name, phone, contact_preference)
        values ('Anna', ${'Segreta'}, '3331234567', 'piccione')`,
    ];
    for (const statement of failing) {
      await transaction(pool, SYSTEM, (tx) => tx.execute(statement)).catch((error: unknown) =>
        log.error({ err: new Error('not kept', { cause: error }) }, 'request failed'),
      );
    }
    const lines = written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(failing.length);
    for (const { err } of lines) {
      expect(err.cause.message).toMatch(/^Failed query: (insert|select) /);
      expect(err.cause.stack).toMatch(/^ {4}at /);
      expect(err.cause.cause).toMatchObject({ type: 'DatabaseError', code: expect.stringMatching(/^2/) });
    }
    expect(written).not.toMatch(/segreta/i);
  });
});

describe('health and description', () => {
  test('/healthz and /readyz report that all is well', async ({ server }) => {
    const visitor = server.anonymous();
    expect(await (await visitor.request('/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await visitor.request('/readyz')).json()).toEqual({
      status: 'ok',
      database: true,
      files: true,
      jobs: true,
    });
  });

  test('the API describes itself, and its page loads only its own files', async ({ server }) => {
    const visitor = server.anonymous();
    const document = (await (await visitor.request('/api/openapi.json')).json()) as { openapi: string };
    expect(document.openapi).toMatch(/^3\.1/);
    const page = await (await visitor.request('/api/docs')).text();
    expect(page).not.toMatch(/https?:/);
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(files).toHaveLength(3);
    for (const file of files) expect((await visitor.request(file)).status).toBe(200);
  });
});
