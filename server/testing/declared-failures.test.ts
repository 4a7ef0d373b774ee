import { OpenAPIHono } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import { AppError } from '#server/errors.ts';
import type { AppEnv } from '#server/http/env.ts';
import { answerError, onError } from '#server/http/error-answers.ts';
import { createRouter, defineRoute } from '#server/http/router.ts';
import { watchFailures } from './declared-failures.ts';

/** A route that declares `sample_record`, and answers with what `fail` makes of a request. */
function watch(fail: () => Response) {
  const route = defineRoute('anonymous', {
    method: 'get',
    path: '/records/{id}',
    responses: { 204: { description: 'Done' } },
    failures: ['sample_record'],
  });
  const app = new OpenAPIHono<AppEnv>().route('/api', createRouter().openapi(route, fail));
  app.onError(onError);
  app.all('/api/*', (c) => answerError(c, 'not_found'));
  const { fetch, requireDeclared } = watchFailures(app);
  const ask = (path = '/api/records/7', method = 'GET') =>
    fetch(new Request(`http://localhost${path}`, { method }), {});
  return { ask, requireDeclared };
}

const failing = (code: ErrorCode) =>
  watch(() => {
    throw new AppError(code);
  });

describe('what the test server answers', () => {
  test('may be any failure that the route declares', async () => {
    const { ask, requireDeclared } = failing('sample_record');
    expect((await (await ask()).json()).error.code).toBe('sample_record');
    expect((await ask('/api/records/7', 'HEAD')).status).toBe(409);
    expect(requireDeclared).not.toThrow();
  });

  test('is found when its code is not declared, also beside another of the same status', async () => {
    const { ask, requireDeclared } = failing('last_admin');
    await ask();
    expect(requireDeclared).toThrow('GET /api/records/:id: 409 last_admin');
  });

  test('is found when its status is not declared, also without a body', async () => {
    const { ask, requireDeclared } = failing('file_missing');
    await ask('/api/records/7', 'HEAD');
    expect(requireDeclared).toThrow('GET /api/records/:id: 404');
    const bare = watch(() => new Response(null, { status: 416 }));
    await bare.ask();
    expect(bare.requireDeclared).toThrow('GET /api/records/:id: 416 without a code');
  });

  test('is no route of the description for an address that has none', async () => {
    const { ask, requireDeclared } = failing('sample_record');
    expect((await ask('/api/nothing')).status).toBe(404);
    expect((await ask('/api/records/7', 'DELETE')).status).toBe(404);
    expect(requireDeclared).not.toThrow();
  });
});
