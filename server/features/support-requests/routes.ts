import { supportReferenceSchema, supportRequestSchema } from '#contract/support-requests.ts';
import { isCreated } from '#server/db/idempotency.ts';
import { supportRequests } from '#server/db/schema.ts';
import { actorOf, reading, writing } from '#server/http/env.ts';
import { limitRate } from '#server/http/rate-limit.ts';
import {
  createRouter,
  defineRoute,
  idempotencyHeader,
  jsonAnswer,
  jsonBody,
  requestAttempt,
} from '#server/http/router.ts';
import { createSupportRequest } from './commands.ts';

const HOUR_SECONDS = 3600;
const REQUESTS_PER_HOUR = 20;

export const supportRequestRoutes = createRouter().openapi(
  defineRoute('user', {
    method: 'post',
    path: '/support-requests',
    tags: ['support-requests'],
    summary: 'Write to support; the message is stored and mailed',
    request: { headers: idempotencyHeader, body: jsonBody(supportRequestSchema) },
    responses: { 201: jsonAnswer(supportReferenceSchema, 'The number of the request') },
    failures: ['too_many_requests'],
  }),
  async (c) => {
    const { userId } = actorOf(c);
    const request = c.req.valid('json');
    const attempt = requestAttempt(c.req.valid('header'), request);
    await limitRate(c, {
      key: `support:${userId}`,
      points: REQUESTS_PER_HOUR,
      seconds: HOUR_SECONDS,
      isRepeated: () => isCreated(reading(c), supportRequests, userId, attempt),
    });
    const reference = await writing(c, (tx) =>
      createSupportRequest(c.get('services'), tx, userId, request, attempt),
    );
    return c.json(supportReferenceSchema.parse({ reference }), 201);
  },
);
