import { OpenAPIHono } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import { conflictSchema, ERRORS } from '#contract/errors.ts';
import { listQuerySchema } from '#contract/lists.ts';
import { z } from '#contract/validation.ts';
import type { AppEnv } from './env.ts';
import { formBody } from './multipart.ts';
import { createRouter, defineRoute, idempotencyHeader, idParams, jsonAnswer, jsonBody } from './router.ts';

const done = { 204: { description: 'Done' } };
const name = z.object({ name: z.string() });

/** The responses of `route` in the OpenAPI document. */
function answersOf(route: ReturnType<typeof defineRoute>) {
  const app = new OpenAPIHono<AppEnv>().route(
    '/api',
    createRouter().openapi(route, (c) => c.body(null, 204)),
  );
  const { paths } = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Test', version: '1' } });
  return paths?.[`/api${route.path}`]?.[route.method as 'get']?.responses ?? {};
}

/** The failure codes of `route` in the OpenAPI document, by status. */
function failuresOf(route: ReturnType<typeof defineRoute>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(answersOf(route))
      .filter(([status]) => Number(status) >= 400)
      .map(([status, answer]) => [
        status,
        [...answer.description.matchAll(/^- `(\w+)`/gm)].map(([, code]) => code),
      ]),
  );
}

describe('the failures of a route in the OpenAPI document', () => {
  test('are malformed text and server errors for a public route without input', () => {
    const route = defineRoute('anonymous', { method: 'get', path: '/news', responses: done });
    expect(failuresOf(route)).toEqual({ 400: ['malformed_text'], 500: ['internal'], 503: ['unavailable'] });
  });

  test('follow from its access, method, parameters and body', () => {
    const route = defineRoute('admin', {
      method: 'post',
      path: '/records/{id}',
      request: { params: idParams, headers: idempotencyHeader, body: jsonBody(name) },
      responses: done,
    });
    expect(failuresOf(route)).toEqual({
      400: ['malformed_text', 'malformed_json'],
      401: ['unauthenticated'],
      403: ['forbidden', 'foreign_origin'],
      413: ['payload_too_large'],
      415: ['unsupported_media_type'],
      422: ['invalid_input', 'idempotency_key_reused'],
      500: ['internal'],
      503: ['unavailable'],
    });
  });

  test('include no 403 for a route open to every account, and invalid_cursor for a list', () => {
    const request = { query: listQuerySchema };
    const route = defineRoute('session', { method: 'get', path: '/records', request, responses: done });
    expect(failuresOf(route)).toEqual({
      400: ['malformed_text', 'invalid_cursor'],
      401: ['unauthenticated'],
      422: ['invalid_input'],
      500: ['internal'],
      503: ['unavailable'],
    });
  });

  test('include malformed_upload for an upload, but no invalid_input', () => {
    const route = defineRoute('session', {
      method: 'put',
      path: '/picture',
      request: { body: formBody() },
      responses: done,
      failures: ['image_too_large'],
    });
    expect(failuresOf(route)).toMatchObject({
      400: ['malformed_text', 'malformed_json', 'malformed_upload'],
      413: ['payload_too_large', 'image_too_large'],
      415: ['unsupported_media_type'],
      503: ['unavailable', 'files_unavailable'],
    });
    expect(failuresOf(route)).not.toHaveProperty('422');
  });

  test('include its own with code and text, beside a response it describes for the same status', () => {
    const answers = answersOf(
      defineRoute('anonymous', {
        method: 'get',
        path: '/records',
        responses: { ...done, 409: jsonAnswer(conflictSchema(name), 'It has changed meanwhile') },
        failures: ['not_found', 'sample_record'],
      }),
    );
    expect(answers[404]).toEqual({
      description: `- \`not_found\`: ${ERRORS.not_found.message}`,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/not_found' } } },
    });
    expect(answers[409]?.description).toBe(
      `- It has changed meanwhile\n- \`sample_record\`: ${ERRORS.sample_record.message}`,
    );
    expect(answers[409]?.content?.['application/json'].schema.anyOf).toEqual([
      expect.objectContaining({ required: ['error', 'current'] }),
      { $ref: '#/components/schemas/sample_record' },
    ]);
  });
});
