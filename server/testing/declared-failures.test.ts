import { OpenAPIHono } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import { AppError } from '#server/errors.ts';
import type { AppEnv } from '#server/http/env.ts';
import { answerError, onError } from '#server/http/error-answers.ts';
import { createRouter, defineRoute } from '#server/http/router.ts';
import { watchFailures } from './declared-failures.ts';

/** An app with one route, which declares `sample_record` and answers with `fail()`. */
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

describe('a failure answered by the test server', () => {
  test('is accepted if the route declares it', async () => {
    const { ask, requireDeclared } = failing('sample_record');
    expect((await (await ask()).json()).error.code).toBe('sample_record');
    expect((await ask('/api/records/7', 'HEAD')).status).toBe(409);
    expect(requireDeclared).not.toThrow();
  });

  test('is reported if its code is not declared, even if its status is', async () => {
    const { ask, requireDeclared } = failing('last_admin');
    await ask();
    expect(requireDeclared).toThrow('GET /api/records/:id: 409 last_admin');
  });

  test('is reported if its status is not declared, even without a body', async () => {
    const { ask, requireDeclared } = failing('file_missing');
    await ask('/api/records/7', 'HEAD');
    expect(requireDeclared).toThrow('GET /api/records/:id: 404');
    const bare = watch(() => new Response(null, { status: 416 }));
    await bare.ask();
    expect(bare.requireDeclared).toThrow('GET /api/records/:id: 416 without a code');
  });

  test('is ignored for an address without a route', async () => {
    const { ask, requireDeclared } = failing('sample_record');
    expect((await ask('/api/nothing')).status).toBe(404);
    expect((await ask('/api/records/7', 'DELETE')).status).toBe(404);
    expect(requireDeclared).not.toThrow();
  });
});
