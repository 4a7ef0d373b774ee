import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect } from 'vitest';
import { invoiceFilePath, newInvoiceNumber } from '#server/features/invoices/commands.ts';
import { pictureFile } from '#server/features/profile/commands.ts';
import type { Access } from '#server/http/router.ts';
import type { Visitor } from './client.ts';
import type { TestUser } from './factories.ts';
import { operationsOf } from './operations.ts';
import { pdfOf } from './pdf.ts';
import type { TestServer } from './server.ts';
import { test } from './test.ts';

/** Creates the record of `owner` that a route is about; returns the values of the path parameters. */
type Subject = (server: TestServer, owner: TestUser) => Promise<Record<string, string | number>>;

type Entry = {
  access: Access;
  /** Those of them whom the handler admits, if it refuses the others itself. */
  only?: Access;
  subject?: Subject;
  /** Only the owner may see the subject, although the access does not imply it: others get 404. */
  own?: true;
  /** Valid parameters, for routes that answer nothing without. */
  query?: string;
  /** Valid input, for routes that validate the body before they look up the record. */
  body?: object;
};

const aSession: Subject = async ({ services }, owner) => {
  const { sessionId } = await services.auth.api.openSession({ body: { userId: owner.id, remember: false } });
  return { id: sessionId };
};

const aPicture: Subject = async ({ services }) => {
  const name = randomUUID();
  await services.files.put(pictureFile(name), Readable.from(['a picture']));
  return { name };
};
const somebody: Subject = async ({ make }) => ({ id: (await make.user()).id });

const invoice: Subject = async ({ make }, owner) => ({
  number: (await make.invoice(owner, await make.project(owner))).invoiceNumber,
});
const invoiceWithFile: Subject = async ({ make, services }, owner) => {
  const number = newInvoiceNumber();
  const fileUrl = invoiceFilePath(owner.id, number);
  await services.files.put(fileUrl, Readable.from([pdfOf(1_000)]));
  const project = await make.project(owner);
  await make.invoice(owner, project, { invoiceNumber: number, fileName: 'fattura.pdf', fileUrl });
  return { number };
};
const customer: Subject = async (_, owner) => ({ id: owner.id });
const ownProject: Subject = async ({ make }, owner) => ({ id: (await make.project(owner)).id });
const ownEmployee: Subject = async ({ make }, owner) => ({ id: (await make.employee(owner)).id });

const tripRequest: Subject = async ({ make }, owner) => ({ id: (await make.tripRequest(owner)).id });

/**
 * Who may call what. The server declares the same beside each route; this second copy exposes a mistake there. A route
 * missing here fails the test.
 */
const matrix: Record<string, Entry> = {
  'POST /auth/login': { access: 'anonymous' },
  'POST /auth/registrations': { access: 'anonymous' },
  'POST /client-errors': { access: 'anonymous' },
  'GET /search': { access: 'session', query: '?q=diga' },
  'POST /support-requests': { access: 'user' },
  'POST /contact-requests': { access: 'anonymous' },
  'GET /dashboard': { access: 'user' },
  'POST /auth/codes': { access: 'anonymous' },
  'POST /auth/code-logins': { access: 'anonymous' },
  'POST /auth/recoveries': { access: 'anonymous' },
  'POST /auth/password-resets': { access: 'anonymous' },
  'POST /auth/email-verifications/confirmations': { access: 'anonymous' },
  'POST /auth/email-verifications': { access: 'session' },
  'POST /auth/reauthentications': { access: 'session' },
  'PUT /auth/password': { access: 'session' },
  'GET /auth/identities': { access: 'session' },
  'POST /auth/tokens': { access: 'session' },
  'GET /auth/keys': { access: 'anonymous' },
  'POST /auth/two-factor/challenges': { access: 'anonymous' },
  'POST /auth/two-factor': { access: 'session' },
  'POST /auth/two-factor/confirmations': { access: 'session' },
  'POST /auth/two-factor/recovery-codes': { access: 'session' },
  'DELETE /auth/two-factor': { access: 'session' },
  'GET /auth/sessions': { access: 'session' },
  'POST /auth/refresh': { access: 'session' },
  'DELETE /auth/sessions/{id}': { access: 'session', subject: aSession, own: true },
  'GET /auth/session': { access: 'anonymous' },
  'GET /me': { access: 'session' },
  'PATCH /me': { access: 'session' },
  'DELETE /me': { access: 'user' },
  'GET /me/data': { access: 'user' },
  'GET /me/data/availability': { access: 'user' },
  'PUT /me/picture': { access: 'session' },
  'GET /pictures/{name}': { access: 'session', subject: aPicture },
  'GET /users': { access: 'admin' },
  'POST /users': { access: 'admin' },
  'GET /users/{id}': { access: 'admin', subject: somebody },
  'PATCH /users/{id}': { access: 'admin', subject: somebody },
  'POST /users/{id}/recoveries': { access: 'admin', subject: somebody },
  'DELETE /users/{id}': { access: 'admin', subject: somebody },
  'GET /invoices': { access: 'user' },
  'GET /invoices/summary': { access: 'user' },
  'GET /invoices/export': { access: 'user', query: '?format=csv' },
  'POST /invoices': { access: 'user', only: 'admin' },
  'GET /invoices/{number}/file': { access: 'user', subject: invoiceWithFile },
  'DELETE /invoices/{number}': { access: 'user', subject: invoice },
  'GET /admin/invoices': { access: 'invoiceAdmin' },
  'GET /admin/invoices/export': { access: 'invoiceAdmin', query: '?format=csv' },
  'POST /admin/invoices': { access: 'invoiceAdmin' },
  'PUT /admin/invoices/status': { access: 'invoiceAdmin' },
  'GET /admin/invoices/{number}': { access: 'invoiceAdmin', subject: invoice },
  'PATCH /admin/invoices/{number}': { access: 'invoiceAdmin', subject: invoice },
  'DELETE /admin/invoices/{number}': { access: 'invoiceAdmin', subject: invoice },
  'GET /admin/invoices/{number}/events': { access: 'invoiceAdmin', subject: invoice },
  'GET /admin/invoices/{number}/file': { access: 'invoiceAdmin', subject: invoiceWithFile },
  'PUT /admin/invoices/{number}/file': { access: 'invoiceAdmin', subject: invoice },
  'DELETE /admin/invoices/{number}/file': { access: 'invoiceAdmin', subject: invoiceWithFile },
  'GET /admin/customers': { access: 'invoiceAdmin' },
  'GET /admin/customers/{id}/projects': { access: 'invoiceAdmin', subject: customer },
  'GET /trip-requests': { access: 'user' },
  'POST /trip-requests': { access: 'user' },
  'GET /trip-requests/{id}': { access: 'user', subject: tripRequest },
  'POST /trip-requests/{id}/withdrawal': { access: 'user', subject: tripRequest, body: {} },
  'POST /requirements': { access: 'user' },
  'GET /admin/mail-messages': { access: 'admin' },
  'POST /admin/mail-messages/{id}/resend': { access: 'admin' },
  'GET /admin/trip-requests': { access: 'admin' },
  'GET /admin/trip-requests/{id}': { access: 'admin', subject: tripRequest },
  'POST /admin/trip-requests/{id}/state-changes': {
    access: 'admin',
    subject: tripRequest,
    body: { from: 'Inviata', state: 'In lavorazione' },
  },
  'GET /projects': { access: 'user' },
  'POST /projects': { access: 'user' },
  'GET /projects/stats': { access: 'user' },
  'GET /projects/timeline': { access: 'user', query: '?from=2026-11-01&to=2026-11-30' },
  'GET /projects/{id}': { access: 'user', subject: ownProject },
  'PATCH /projects/{id}': {
    access: 'user',
    subject: ownProject,
    body: { name: 'Cantiere', location: 'Ravenna', version: 1 },
  },
  'PUT /projects/{id}/status': { access: 'user', subject: ownProject, body: { status: 'Completato' } },
  'PUT /projects/{id}/team/status': { access: 'user', subject: ownProject, body: { status: 'Rientrato' } },
  'DELETE /projects/{id}': { access: 'user', subject: ownProject },
  'GET /employees': { access: 'user' },
  'GET /employees/export': { access: 'user', query: '?format=csv' },
  'POST /employees': { access: 'user' },
  'POST /employees/imports': { access: 'user' },
  'POST /employees/imports/matches': { access: 'user' },
  'GET /employees/{id}': { access: 'user', subject: ownEmployee },
  'GET /employees/{id}/assignments': { access: 'user', subject: ownEmployee },
  'GET /employees/{id}/status-changes': { access: 'user', subject: ownEmployee },
  'PATCH /employees/{id}': {
    access: 'user',
    subject: ownEmployee,
    body: { name: 'Mario Rossi', role: 'Tecnico', version: 1 },
  },
  'PUT /employees/{id}/status': { access: 'user', subject: ownEmployee, body: { status: 'Rientrato' } },
  'DELETE /employees/{id}': { access: 'user', subject: ownEmployee },
  // Last, because each actor has one session for the whole matrix.
  'POST /auth/logout': { access: 'session' },
};

const actors = ['visitor', 'owner', 'stranger', 'admin', 'invoiceAdmin'] as const;
type ActorName = (typeof actors)[number];

const admitted: Record<Access, readonly ActorName[]> = {
  anonymous: actors,
  session: ['owner', 'stranger', 'admin', 'invoiceAdmin'],
  user: ['owner', 'stranger', 'admin'],
  admin: ['admin'],
  invoiceAdmin: ['invoiceAdmin'],
};

/**
 * The expected answer to a call. Whoever is let in may still get an error about the input; the record of another
 * owner is 404.
 */
function expectedAnswer({ access, only = access, subject, own }: Entry, actor: ActorName): string {
  if (!admitted[only].includes(actor)) {
    return actor === 'visitor' ? '401' : '403';
  }
  const foreign = (access === 'user' || own) && subject !== undefined && actor !== 'owner';
  return foreign ? '404' : 'let in';
}

function describeAnswer(status: number): string {
  return [401, 403, 404].includes(status) || status >= 500 ? String(status) : 'let in';
}

/** The routes of the OpenAPI document, as 'METHOD /path' → declared access. */
async function documentedRoutes(server: TestServer): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await operationsOf(server)).map(({ method, path, 'x-access': access }) => [
      `${method} ${path.replace(/^\/api/, '')}`,
      access,
    ]),
  );
}

/** The API description is public and does not describe itself. */
const description = /^GET \/(openapi\.json|docs)/;

/** All routes below /api except middleware, documented or not. */
function mountedRoutes(server: TestServer): string[] {
  const routes = server.app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))
    .map(({ method, path }) => `${method} ${path.replace(/^\/api/, '').replace(/:(\w+)/g, '{$1}')}`);
  return [...new Set(routes)].filter((route) => !description.test(route)).sort();
}

async function actorsOf(
  server: TestServer,
  owner: TestUser,
): Promise<Record<ActorName, () => Promise<Visitor>>> {
  const stranger = await server.make.user();
  const admin = await server.make.user({ role: 'admin' });
  const invoiceAdmin = await server.make.invoiceAdmin();
  return {
    visitor: async () => server.anonymous(),
    owner: () => server.as(owner),
    stranger: () => server.as(stranger),
    admin: () => server.as(admin),
    invoiceAdmin: () => server.as(invoiceAdmin),
  };
}

/** What the server answers to a call of the matrix, about a new record of `owner`. */
async function answerTo(
  server: TestServer,
  owner: TestUser,
  visitor: Visitor,
  [route, { subject, query = '', body }]: [string, Entry],
): Promise<Response> {
  const [method = '', path = ''] = route.split(' ');
  const parameters = (await subject?.(server, owner)) ?? {};
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => String(parameters[name])) + query;
  return body ? visitor.send(method, `/api${target}`, body) : visitor.request(`/api${target}`, { method });
}

describe('the access matrix', () => {
  test('lists every route with the access that the server declares', async ({ server }) => {
    const listed = Object.fromEntries(Object.entries(matrix).map(([route, { access }]) => [route, access]));
    expect(await documentedRoutes(server)).toEqual(listed);
    expect(mountedRoutes(server)).toEqual(Object.keys(matrix).sort());
  });

  test('forbids shared caching, on every route that reads', async ({ server }) => {
    const owner = await server.make.user();
    const signIn = await actorsOf(server, owner);
    const reads = Object.entries(matrix).filter(([route]) => route.startsWith('GET '));
    const kept: string[] = [];
    const answered = new Set<string>();
    for (const call of [...reads, ['GET /nothing', { access: 'anonymous' }] satisfies [string, Entry]]) {
      const [route] = call;
      for (const actor of actors) {
        const answer = await answerTo(server, owner, await signIn[actor](), call);
        const control = answer.headers.get('cache-control') ?? 'none';
        // The public keys that verify tokens may be cached.
        if (!/no-store|private/.test(control) && route !== 'GET /auth/keys')
          kept.push(`${route}: ${control}`);
        if (answer.ok) answered.add(route);
        await answer.body?.cancel();
      }
    }
    expect(kept).toEqual([]);
    expect([...answered]).toEqual(reads.map(([route]) => route));
  });

  test('matches the answer of every route to every role', async ({ server }) => {
    const owner = await server.make.user();
    const signIn = await actorsOf(server, owner);
    const answers: Record<string, Record<string, string>> = {};
    const expected: typeof answers = {};
    for (const [route, entry] of Object.entries(matrix)) {
      answers[route] = {};
      expected[route] = {};
      for (const actor of actors) {
        const response = await answerTo(server, owner, await signIn[actor](), [route, entry]);
        answers[route][actor] = describeAnswer(response.status);
        expected[route][actor] = expectedAnswer(entry, actor);
      }
    }
    expect(answers).toEqual(expected);
  });
});
