import { clientErrorAnswerSchema, clientErrorSchema } from '#contract/client-errors.ts';
import { callerLine, limitRate } from '#server/http/rate-limit.ts';
import { createRouter, defineRoute, jsonAnswer, jsonBody } from '#server/http/router.ts';

export const clientErrorRoutes = createRouter().openapi(
  defineRoute('anonymous', {
    method: 'post',
    path: '/client-errors',
    tags: ['client-errors'],
    summary: 'Report an error of the browser, to be found in the log',
    request: { body: jsonBody(clientErrorSchema) },
    responses: { 202: jsonAnswer(clientErrorAnswerSchema, 'Logged under this id') },
    failures: ['too_many_requests'],
  }),
  async (c) => {
    await limitRate(c, { key: `client-error:${callerLine(c)}`, points: 30, seconds: 600 });
    const { page, ...error } = c.req.valid('json');
    c.get('log').error({ browser: error, page: page.replace(/\d{5,}/g, ':id') }, 'browser error');
    return c.json(clientErrorAnswerSchema.parse({ requestId: c.get('requestId') }), 202);
  },
);
