import { describe, expect, inject } from 'vitest';
import { startTestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';

describe('every response of the API', () => {
  test('allows no scripts, no framing and no use by other origins', async ({ server }) => {
    const answer = await server.anonymous().request('/api/me');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; form-action 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('x-powered-by')).toBeNull();
    // Only where the public address is https, as below.
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });
});

describe('every response', () => {
  test('has a content security policy, nosniff and its content type', async ({ server }) => {
    const visitor = server.anonymous();
    for (const path of ['/', '/app/home', '/nulla', '/robots.txt', '/healthz', '/api/docs', '/api/me']) {
      const { headers } = await visitor.request(path);
      const policy = headers.get('content-security-policy');
      for (const directive of ["object-src 'none'", "base-uri 'none'", 'frame-ancestors '])
        expect([path, policy]).toEqual([path, expect.stringContaining(directive)]);
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      expect([path, headers.get('content-type')]).toEqual([
        path,
        expect.stringMatching(/^application\/json|^text\/\w+; charset=utf-8$/i),
      ]);
    }
  });
});

describe('a page', () => {
  // Safari and WebKit refuse to show a PDF made by a page that says 'none'.
  test('may be framed by its own origin alone, and no other response by any', async ({ server }) => {
    const visitor = server.anonymous();
    const framers = async (path: string) => {
      const { headers } = await visitor.request(path);
      return /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
    };
    for (const path of ['/', '/login', '/app/home', '/nulla'])
      expect([path, await framers(path)]).toEqual([path, "'self'"]);
    for (const path of ['/robots.txt', '/healthz', '/api/docs', '/api/me'])
      expect([path, await framers(path)]).toEqual([path, "'none'"]);
  });

  test('is revalidated each time, as the service worker is, and other files may be an hour old', async ({
    server,
  }) => {
    const cached = async (path: string) =>
      (await server.anonymous().request(path)).headers.get('cache-control');
    for (const path of ['/', '/app/home', '/nulla', '/service-worker.js'])
      expect([path, await cached(path)]).toEqual([path, 'no-cache']);
    expect(await cached('/favicon.svg')).toBe('public, max-age=3600');
  });

  test('cannot be written to', async ({ server }) => {
    const answer = await server.anonymous().request('/login', { method: 'POST' });
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
  });

  test('that the browser has cached is answered with 304 and the same policy', async ({ server }) => {
    const visitor = server.anonymous();
    const tags = [];
    for (const path of ['/', '/login', '/app/home', '/favicon.svg']) {
      const first = await visitor.request(path, { headers: { 'Accept-Encoding': 'br' } });
      const tag = first.headers.get('etag') ?? '';
      expect(tag).toMatch(/^"[\w-]{43}"$/);
      const again = await visitor.request(path, {
        headers: { 'Accept-Encoding': 'br', 'If-None-Match': tag },
      });
      expect([again.status, await again.text()]).toEqual([304, '']);
      for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy'])
        expect([path, name, again.headers.get(name)]).toEqual([path, name, first.headers.get(name)]);
      expect((await visitor.request(path, { headers: { 'If-None-Match': '"another"' } })).status).toBe(200);
      tags.push(tag);
    }
    expect(new Set(tags).size).toBe(tags.length);
    const plain = await visitor.request('/login', { headers: { 'Accept-Encoding': 'identity' } });
    expect(tags).not.toContain(plain.headers.get('etag'));
  });

  test('at /app/home contains Home for a customer only, and redirects the invoice administrator', async ({
    server,
  }) => {
    const ask = async (visitor: ReturnType<typeof server.anonymous>) => {
      const answer = await visitor.request('/app/home', { redirect: 'manual' });
      expect(answer.headers.get('vary')).toContain('Cookie');
      return [answer.headers.get('location'), (await answer.text()).includes('data-first-view="home"')];
    };
    expect(await ask(await server.as(await server.make.user()))).toEqual([null, true]);
    expect(await ask(await server.as(await server.make.invoiceAdmin()))).toEqual([
      '/app/admin/invoices',
      false,
    ]);
    expect(await ask(server.anonymous())).toEqual([null, false]);
  });

  test('at /app/home follows the cookie of the collapsed side menu', async ({ server }) => {
    const account = await server.as(await server.make.user());
    const beside = async (cookie: string) => {
      account.keep([cookie]);
      const text = await (await account.request('/app/home')).text();
      return [text.includes('data-first-view="home"'), text.includes('data-menu="collapsed"')];
    };
    expect(await beside('sidebar_state=expanded')).toEqual([true, false]);
    expect(await beside('sidebar_state=collapsed')).toEqual([true, true]);
    expect(await beside('sidebar_state=expanded')).toEqual([true, false]);
    const { env } = server.services;
    const { publicUrl } = env;
    env.publicUrl = 'https://trasferte.example';
    expect(await beside('sidebar_state=collapsed')).toEqual([true, false]);
    expect(await beside('__Host-sidebar_state=collapsed')).toEqual([true, true]);
    env.publicUrl = publicUrl;
  });

  test('is not found at unknown addresses and at the names of internal files', async ({ server }) => {
    for (const path of [
      '/404',
      '/404/',
      '/404/index.html',
      '/__spa-fallback.html',
      '/__home.html.br',
      '/__home-collapsed.html',
      '/nulla',
    ]) {
      const { status, headers } = await server.anonymous().request(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
    }
  });

  test('of the site or the application runs only scripts of the product, and none inline, and sends nothing elsewhere', async ({
    server,
  }) => {
    const visitor = server.anonymous();
    const policy =
      "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
img-src 'self' data: blob: https:; font-src 'self'; connect-src 'self'; frame-src 'self' blob:; form-action 'self'; \
object-src 'none'; base-uri 'none'; frame-ancestors 'self'";
    for (const path of ['/', '/login', '/nulla', '/app/home', '/app/projects']) {
      const { headers } = await visitor.request(path);
      expect([path, headers.get('content-security-policy')]).toEqual([path, policy]);
    }
    expect((await visitor.request('/api/docs')).headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self';",
    );
  });
});

describe('on https', () => {
  test('cookies are prefixed __Host-, HttpOnly, Secure and SameSite=Lax, and HSTS is set', async () => {
    const origin = 'https://trasferte.example';
    const server = await startTestServer(inject('testCluster'), { PUBLIC_URL: origin });
    const { email, password } = await server.make.user();
    const answer = await fetch(`${server.origin}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: origin },
      body: JSON.stringify({ identifier: email, password, remember: true }),
    });
    expect(answer.status).toBe(200);
    const cookies = answer.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-/);
      for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/'])
        expect(cookie).toContain(attribute);
      expect(cookie).not.toMatch(/Domain=/i);
    }
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
    const session = cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
    const known = await fetch(`${server.origin}/api/me`, { headers: { Cookie: session } });
    expect(known.status).toBe(200);
    await server.stop();
  });
});
