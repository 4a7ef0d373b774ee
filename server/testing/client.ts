import { hc } from 'hono/client';
import { errorBodySchema } from '#contract/error-body.ts';
import type { Api } from '#server/app.ts';

/** A client that behaves like a browser: it keeps cookies and sends the origin of its requests. */
export type Visitor = {
  /** The typed client of the API. */
  api: ReturnType<typeof hc<Api>>;
  /** A request that the typed client would not make; `path` starts with a slash. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The cookies it sends, for a request without this client. */
  cookies(): string;
  /** Takes over cookies from `Set-Cookie` headers. */
  keep(setCookies: readonly string[]): void;
  /** A request with a JSON body. */
  send(method: string, path: string, body: unknown): Promise<Response>;
};

/** A visitor of the server at `origin`, with no cookies yet. */
export function createVisitor(origin: string): Visitor {
  const jar = new Map<string, string>();

  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  const keep = (setCookies: readonly string[]) => {
    for (const cookie of setCookies) keepCookie(jar, cookie);
  };

  const request = async (path: string | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('Origin', origin);
    if (jar.size > 0) {
      headers.set('Cookie', cookies());
    }
    const response = await fetch(new URL(path, origin), { redirect: 'manual', ...init, headers });
    keep(response.headers.getSetCookie());
    return response;
  };

  return {
    api: hc<Api>(`${origin}/api`, {
      fetch: (target: string | URL | Request, init?: RequestInit) =>
        request(target instanceof Request ? target.url : target, init),
    }),
    request,
    cookies,
    keep,
    send: (method, path, body) =>
      request(path, {
        method,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

/**
 * Logs `visitor` in and returns it.
 * @param options.at origin of the process to ask, if several serve the visitor's origin
 * @throws when the login is refused
 */
export async function signIn(
  visitor: Visitor,
  { email, password }: { email: string; password: string },
  { remember = false, at = '' }: { remember?: boolean; at?: string } = {},
): Promise<Visitor> {
  const login = { identifier: email, password, remember };
  const answer = await visitor.send('POST', `${at}/api/auth/login`, login);
  if (!answer.ok) throw new Error(`The login of ${email} was answered ${answer.status}`);
  return visitor;
}

/**
 * The error in a failed answer.
 * @throws when its body has none
 */
export async function errorOf(response: { status: number; json(): Promise<unknown> }) {
  const { code, message, fields } = errorBodySchema.parse(await response.json()).error;
  return { status: response.status, code, message, fields };
}

function keepCookie(jar: Map<string, string>, cookie: string): void {
  const [pair = '', ...attributes] = cookie.split(';');
  const separator = pair.indexOf('=');
  const name = pair.slice(0, separator).trim();
  if (attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute))) {
    jar.delete(name);
  } else {
    jar.set(name, pair.slice(separator + 1).trim());
  }
}
