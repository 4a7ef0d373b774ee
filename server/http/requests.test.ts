import { describe, expect } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { Visitor } from '#server/testing/client.ts';
import { test } from '#server/testing/test.ts';

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

describe('bad input', () => {
  test('JSON that does not parse', async ({ server }) => {
    expect(await post(server.anonymous(), '{"identifier":')).toMatchObject({
      status: 400,
      code: 'malformed_json',
    });
  });

  test('bytes that are not UTF-8', async ({ server }) => {
    const body = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    expect(await post(server.anonymous(), body)).toMatchObject({ status: 400, code: 'malformed_text' });
  });

  test('a NUL, escaped in JSON or in the address', async ({ server }) => {
    const visitor = server.anonymous();
    const escaped = JSON.stringify({ identifier: 'a\0b', password: 'segreto' });
    expect(await post(visitor, escaped)).toMatchObject({ status: 400, code: 'malformed_text' });
    const address = await post(visitor, '{}', json, `${LOGIN}?x=%00`);
    expect(address).toMatchObject({ status: 400, code: 'malformed_text' });
  });

  test('a backslash that only looks like an escaped NUL is text', async ({ server }) => {
    const body = JSON.stringify({ identifier: 'a\\u0000b@example.com', password: 'segreto' });
    expect(await post(server.anonymous(), body)).toMatchObject({ status: 401, code: 'invalid_credentials' });
  });

  test('10 MB of JSON', async ({ server }) => {
    const body = JSON.stringify({ identifier: 'x'.repeat(10_485_760) });
    expect(await post(server.anonymous(), body)).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  test('another content type, or none', async ({ server }) => {
    const visitor = server.anonymous();
    for (const type of ['text/plain', 'application/xml', '']) {
      const answer = await post(visitor, '{"identifier":"a","password":"b"}', { 'Content-Type': type });
      expect(answer).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    }
  });

  test('missing, wrong and unknown fields are named, each with an Italian message', async ({ server }) => {
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

  test('SQL in a name is a name', async ({ server }) => {
    const identifier = "x'; drop table profiles; --";
    const answer = await post(server.anonymous(), JSON.stringify({ identifier, password: 'segreto' }));
    expect(answer).toMatchObject({ status: 401, code: 'username_not_found' });
  });

  test('an unknown address of the API', async ({ server }) => {
    const response = await server.anonymous().request('/api/nulla');
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
  });
});

describe('origin of writes', () => {
  test('a write from another site is refused, whatever it says', async ({ server }) => {
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
});

describe('every answer', () => {
  test('is named, private and guarded', async ({ server }) => {
    const response = await server.anonymous().request('/api/me');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
  });

  test('a request id from outside is not believed', async ({ server }) => {
    const response = await server.anonymous().request('/api/me', { headers: { 'X-Request-Id': 'mio' } });
    expect(response.headers.get('x-request-id')).not.toBe('mio');
  });
});

describe('health and description', () => {
  test('/healthz and /readyz answer', async ({ server }) => {
    const visitor = server.anonymous();
    expect(await (await visitor.request('/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await visitor.request('/readyz')).json()).toEqual({
      status: 'ok',
      database: true,
      files: true,
      jobs: true,
    });
  });

  test('the API describes itself, and its page loads nothing from elsewhere', async ({ server }) => {
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
