/**
 * Bad input to every route of the OpenAPI document, as each role. `npm test` sends about a thousand requests,
 * `npm run test:fuzz` well over ten thousand. The seed is printed; TRASVIA_FUZZ_SEED repeats a run.
 */
import { randomInt } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import fc, { type Arbitrary } from 'fast-check';
import { afterAll, describe, expect } from 'vitest';
import { invoiceFilePath, newInvoiceNumber } from '#server/features/invoices/commands.ts';
import type { Visitor } from './client.ts';
import type { TestUser } from './factories.ts';
import { invalidValue, NASTY_TEXTS, nastyText, type Schema, validValue } from './fuzz-values.ts';
import { LONG } from './long.ts';
import { type Operation, operationsOf } from './operations.ts';
import { pdfOf } from './pdf.ts';
import type { TestServer } from './server.ts';
import { test } from './test.ts';

const SEED = Number(process.env.TRASVIA_FUZZ_SEED ?? randomInt(2 ** 31));
/** Requests for each route and role. */
const CASES = LONG ? 45 : 2;
/**
 * Most processor time, in milliseconds, that an answer may take together with the answers made in parallel. Elapsed time
 * says nothing on a busy machine. Waiting for the database is limited by the statement timeout of half a minute.
 */
const MOST_WORK_MS = 10_000;
const IN_FLIGHT = 8;

const ROLES = ['visitor', 'stranger', 'admin', 'invoiceAdmin'] as const;
type Role = (typeof ROLES)[number];

/** The roles that may read each kind of record of another customer, and the word that marks it. */
const MARKS = {
  project: { word: 'SegretoCantiere', readers: ['invoiceAdmin'] },
  employee: { word: 'SegretoOperaio', readers: [] },
  invoice: { word: 'SegretoFattura', readers: ['invoiceAdmin'] },
  file: { word: 'SegretoPdf', readers: ['invoiceAdmin'] },
  tripRequest: { word: 'SegretaTrasferta', readers: ['admin'] },
  profile: { word: 'SegretoNome', readers: ['admin', 'invoiceAdmin'] },
} satisfies Record<string, { word: string; readers: Role[] }>;

type Attempt = { method: string; target: string; headers: Record<string, string>; body: Buffer | null };

/** A customer with one record of each kind, with the words of {@link MARKS} in its texts if `marked`. */
async function targetFor(server: TestServer, marked: boolean) {
  const word = (kind: keyof typeof MARKS) => (marked ? MARKS[kind].word : 'Qualunque');
  const owner = await server.make.user({ fullName: word('profile') });
  const project = await server.make.project(owner, { name: word('project') });
  const employee = await server.make.employee(owner, { name: word('employee') }, project);
  const number = newInvoiceNumber();
  const fileUrl = invoiceFilePath(owner.id, number);
  const pdf = Buffer.concat([pdfOf(500), Buffer.from(word('file'))]);
  await server.services.files.put(fileUrl, Readable.from([pdf]));
  await server.make.invoice(owner, project, {
    invoiceNumber: number,
    description: word('invoice'),
    fileName: `${word('file')}.pdf`,
    fileUrl,
  });
  const trip = await server.make.tripRequest(owner, { city: word('tripRequest') });
  const ids = [project.id, employee.id, trip.id, owner.id];
  return { number, ids: ids.map(String) };
}

type Target = Awaited<ReturnType<typeof targetFor>>;

/** Encodes text for a URL; malformed Unicode becomes bytes that are not UTF-8. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

const pathValue = (name: string, target: Target): Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...(name === 'number' ? [target.number] : target.ids)) },
    { weight: 1, arbitrary: nastyText },
  );

function targetOf({ path, parameters }: Operation, target: Target): Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  return fc
    .tuple(
      fc.tuple(...names.map((name) => pathValue(name, target))),
      fc.tuple(
        ...queries.map(({ schema }) =>
          fc.option(fc.oneof(validValue(schema).map(String), nastyText, fc.constantFrom(...NASTY_TEXTS))),
        ),
      ),
      fc.option(fc.tuple(nastyText, nastyText), { freq: 6 }),
    )
    .map(([values, given, extra]) => {
      const filled = names.reduce(
        (whole, name, index) => whole.replace(`{${name}}`, encoded(values[index] ?? '') || '%20'),
        path,
      );
      const pairs = queries.flatMap(({ name }, index) => {
        const value = given[index];
        return value === null || value === undefined ? [] : [`${name}=${encoded(value.slice(0, 4_000))}`];
      });
      if (extra) pairs.push(`${encoded(extra[0].slice(0, 50))}=${encoded(extra[1].slice(0, 50))}`);
      const query = pairs.length > 0 ? `?${pairs.join('&')}` : '';
      return filled.length > 6_000 ? `${filled.slice(0, 6_000).replace(/%.?$/, '')}${query}` : filled + query;
    });
}

const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'x'.repeat(300)}`,
  'application/pdf',
  'a/b/c',
];

function bodyOf({ requestBody }: Operation): Arbitrary<{ type: string | null; body: Buffer | null }> {
  const [[type, { schema }] = [null, { schema: {} }]] = Object.entries(requestBody.content);
  if (type === null) {
    return fc.constantFrom(
      { type: null, body: null },
      { type: 'application/json', body: Buffer.from('{"a":1}') },
    );
  }
  const json = (value: unknown) => Buffer.from(JSON.stringify(value) ?? 'null');
  const whole = fc.oneof(validValue(schema), invalidValue(schema), invalidValue(schema));
  const mangled = fc.tuple(whole, fc.nat(), fc.nat(4)).map(([value, at, how]) => {
    const bytes = json(value);
    if (how === 0) return bytes.subarray(0, at % Math.max(1, bytes.length));
    if (how === 1) return Buffer.concat([bytes, bytes]);
    if (how === 2) return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes, Buffer.from([0xff, 0xfe])]);
    if (how === 3) return Buffer.alloc(1_200_000, 0x20);
    return Buffer.from(bytes).fill(0xc3, at % Math.max(1, bytes.length));
  });
  if (type.startsWith('multipart/')) return multipart(schema);
  return fc.oneof(
    { weight: 6, arbitrary: whole.map((value) => ({ type: 'application/json', body: json(value) })) },
    { weight: 1, arbitrary: mangled.map((body) => ({ type: 'application/json', body })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...TYPES), whole)
        .map(([other, value]) => ({ type: other, body: json(value) })),
    },
  );
}

const PDFS: Buffer[] = [
  Buffer.from(pdfOf(2_000)),
  Buffer.from('%PDF-'),
  Buffer.from('%PDF-1.7\n%%EOF'),
  Buffer.alloc(0),
  Buffer.from('<html><script>alert(1)</script>'),
  Buffer.from('PK\x03\x04 not a pdf'),
  Buffer.concat([
    Buffer.from('%PDF-1.7\n1 0 obj << /Kids [1 0 R] /Length 99999999999 >> stream\n'),
    Buffer.alloc(5_000, 0xff),
  ]),
  Buffer.from(`%PDF-1.7\n${'[<<'.repeat(20_000)}`),
  Buffer.from([
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0x7f, 0xff, 0xff,
    0xff,
  ]),
];

/** A form with one file, valid or broken in its fields, its file, its names or its syntax. */
function multipart(schema: Schema): Arbitrary<{ type: string; body: Buffer }> {
  const names = Object.keys(schema.properties ?? {});
  return fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom(...names, 'altro', '__proto__'), nastyText), { maxLength: 8 }),
      fc.oneof(
        fc.constantFrom(...PDFS),
        fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes)),
      ),
      nastyText,
      fc.constantFrom('--', '', '--\r\ntrailing', '\r\n--'),
      fc.nat(8),
      // Cut off in one of three, anywhere: also within a second file, or one in another field.
      fc.oneof({ arbitrary: fc.constant(null), weight: 2 }, { arbitrary: fc.nat(999), weight: 1 }),
    )
    .map(([fields, file, fileName, ending, how, cut]) => {
      const boundary = 'confine';
      const line = (text: string) => Buffer.from(`${text}\r\n`);
      const clean = (text: string) => text.replace(/[\r\n"]/g, '').slice(0, 500);
      const parts = fields.flatMap(([name, value]) => [
        line(`--${boundary}`),
        line(`Content-Disposition: form-data; name="${name}"`),
        line(''),
        line(value.slice(0, 2_000)),
      ]);
      const filePart = [
        line(`--${boundary}`),
        line(
          `Content-Disposition: form-data; name="${how === 1 ? 'altro' : 'file'}"; filename="${how === 2 ? fileName.slice(0, 3_000) : clean(fileName)}"`,
        ),
        line(how === 3 ? 'Content-Transfer-Encoding: base64' : 'Content-Type: application/pdf'),
        line(''),
        file,
        line(''),
      ];
      const twice = how === 4 ? filePart : [];
      const whole = Buffer.concat([...parts, ...filePart, ...twice, line(`--${boundary}${ending}`)]);
      const body = cut === null ? whole : whole.subarray(0, Math.floor((whole.length * cut) / 1000));
      const named = how === 5 ? 'altrove' : how === 6 ? `${boundary}; boundary=due` : boundary;
      return { type: `multipart/form-data; boundary=${named}`, body };
    });
}

/** Odd but legal values of headers that the product or a library reads. */
const oddHeaders: Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  {},
  {},
  {},
  { Range: 'bytes=5-1' },
  { Range: 'bytes=-999999999999999' },
  { Range: `bytes=${'0-1,'.repeat(500)}` },
  { 'If-None-Match': '*' },
  { 'If-Range': 'W/"x"' },
  { 'Idempotency-Key': 'x'.repeat(4_000) },
  { 'Idempotency-Key': '00000000-0000-0000-0000-000000000000' },
  { 'X-Forwarded-For': `${'1.1.1.1,'.repeat(400)}::ffff:1.2.3.4%eth0` },
  { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'gopher' },
  { 'X-HTTP-Method-Override': 'DELETE' },
  { 'Accept-Encoding': 'identity;q=0, *;q=0' },
  { Accept: '*'.repeat(3_000) },
  { 'Content-Encoding': 'gzip' },
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { 'Sec-Fetch-Site': 'cross-site' },
  { Authorization: `Bearer ${'a'.repeat(3_000)}` },
  { 'X-Request-Id': 'a'.repeat(3_000) },
);

function attempts(operation: Operation, target: Target): Arbitrary<Attempt> {
  const method = fc.oneof(
    { weight: 15, arbitrary: fc.constant(operation.method) },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PROPFIND') },
  );
  return fc
    .tuple(method, targetOf(operation, target), bodyOf(operation), oddHeaders)
    .map(([verb, path, { type, body }, headers]) => ({
      method: verb,
      target: path,
      headers: { ...(type && { 'Content-Type': type }), ...headers },
      body: ['GET', 'HEAD'].includes(verb) ? null : body,
    }));
}

type Answer = { status: number; text: string; ms: number; workMs: number };

/** Sends requests that `fetch` would repair or refuse. */
function send(
  server: TestServer,
  visitor: Visitor,
  { method, target, headers, body }: Attempt,
): Promise<Answer> {
  const started = performance.now();
  // The server runs in this process.
  const before = process.cpuUsage();
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${server.origin}/`,
      {
        method,
        path: target,
        agent: false,
        timeout: 60_000,
        headers: {
          Origin: server.origin,
          Cookie: visitor.cookies(),
          ...headers,
          ...(body && { 'Content-Length': body.length }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { user, system } = process.cpuUsage(before);
          resolve({
            status: response.statusCode ?? 0,
            text,
            ms: performance.now() - started,
            workMs: (user + system) / 1000,
          });
        });
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer within a minute')));
    request.on('error', reject);
    request.end(body ?? undefined);
  });
}

/** Built-in prototypes. The server runs in this process, so prototype pollution by a request would show here. */
const PROTOTYPES = [
  Object.prototype,
  Array.prototype,
  Function.prototype,
  String.prototype,
  Number.prototype,
];
const inherited = () => PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype));

const report = { requests: 0, slowest: 0, times: [] as number[], statuses: new Map<number, number>() };

afterAll(() => {
  const times = report.times.toSorted((one, other) => one - other);
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
  const statuses = [...report.statuses].sort(([one], [other]) => one - other);
  const counted = statuses.map(([status, count]) => `${status}: ${count}`).join(', ');
  console.log(
    `Fuzzing, seed ${SEED}: ${report.requests} requests, 99th percentile ${p99.toFixed(0)} ms, slowest ${report.slowest.toFixed(0)} ms; ${counted}`,
  );
});

describe('bad input', () => {
  test(
    'causes no server error, leak or delay on any route, as any role',
    async ({ server }) => {
      const victim = await targetFor(server, true);
      const accounts: Record<Role, TestUser | null> = {
        visitor: null,
        stranger: await server.make.user(),
        admin: await server.make.user({ role: 'admin' }),
        invoiceAdmin: await server.make.invoiceAdmin(),
      };
      const problems: string[] = [];
      const before = inherited();
      const operations = await operationsOf(server);
      // Routes that end sessions or the account come last.
      const rank = ({ path, method }: Operation) =>
        Number(/logout|sessions|password|refresh/.test(path) || `${method} ${path}` === 'DELETE /api/me');
      for (const [index, operation] of operations.sort((one, other) => rank(one) - rank(other)).entries()) {
        for (const role of ROLES) {
          // Roles that may change other customers' records get unmarked ones.
          const target = role === 'visitor' || role === 'stranger' ? victim : await targetFor(server, false);
          const account = accounts[role];
          const visitor = account ? await stillSignedIn(server, account) : server.anonymous();
          const cases = fc.sample(attempts(operation, target), { numRuns: CASES, seed: SEED + index });
          await inParallel(cases, async (attempt) => {
            const what = `${role}: ${attempt.method} ${attempt.target.slice(0, 200)} ${JSON.stringify(attempt.headers).slice(0, 200)} ${attempt.body?.toString('utf8').slice(0, 300) ?? ''}`;
            const answer = await send(server, visitor, attempt).catch((error: Error) => {
              problems.push(`no answer (${error.message}) to ${what}`);
              return null;
            });
            if (!answer) return;
            count(answer);
            if (answer.status >= 500) problems.push(`${answer.status} to ${what}`);
            if (answer.workMs > MOST_WORK_MS) problems.push(`${answer.workMs} ms of work for ${what}`);
            if (/node_modules|\bat \w+ \(|SELECT |PostgresError/.test(answer.text))
              problems.push(`inner workings in the answer to ${what}`);
            for (const { word, readers } of Object.values(MARKS)) {
              const mayRead = (readers as Role[]).includes(role);
              if (!mayRead && answer.text.includes(word)) problems.push(`${word} in the answer to ${what}`);
            }
          });
        }
      }
      expect(problems).toEqual([]);
      expect(inherited()).toEqual(before);
      expect((await server.anonymous().request('/readyz')).status).toBe(200);
      expect(report.requests).toBeGreaterThan(LONG ? 10_000 : 500);
    },
    30 * 60_000,
  );
});

async function stillSignedIn(server: TestServer, account: TestUser): Promise<Visitor> {
  const visitor = await server.as(account);
  if ((await visitor.request('/api/me')).ok) return visitor;
  const { email, password } = account;
  await visitor.send('POST', '/api/auth/login', { identifier: email, password, remember: false });
  return visitor;
}

function count({ status, ms }: Answer): void {
  report.requests += 1;
  report.times.push(ms);
  report.slowest = Math.max(report.slowest, ms);
  report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1);
}

async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}
