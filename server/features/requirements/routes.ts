import { REQUIREMENTS_TEXTS, requirementsSchema } from '#contract/requirements.ts';
import { isCreated } from '#server/db/idempotency.ts';
import { requirements } from '#server/db/schema.ts';
import { AppError } from '#server/errors.ts';
import { actorOf, reading, writing } from '#server/http/env.ts';
import { limitRate } from '#server/http/rate-limit.ts';
import {
  createRouter,
  defineRoute,
  idempotencyHeader,
  jsonBody,
  requestAttempt,
} from '#server/http/router.ts';
import { createRequirements } from './commands.ts';

/** Far above ordinary use. */
const RATE = {
  points: 30,
  seconds: 3600,
  // In the language of the form.
  refusal: (seconds: number) =>
    new AppError('too_many_requests', undefined, REQUIREMENTS_TEXTS.tooMany(seconds)),
} as const;

export const requirementsRoutes = createRouter().openapi(
  defineRoute('user', {
    method: 'post',
    path: '/requirements',
    tags: ['requirements'],
    summary: 'Send travel requirements; they are stored, and mailed to the provider',
    request: { headers: idempotencyHeader, body: jsonBody(requirementsSchema) },
    responses: { 201: { description: 'The requirements are on their way' } },
    failures: ['too_many_requests'],
  }),
  async (c) => {
    const { userId } = actorOf(c);
    const content = c.req.valid('json');
    const attempt = requestAttempt(c.req.valid('header'), content);
    await limitRate(c, {
      key: `requirements:${userId}`,
      ...RATE,
      isRepeated: () => isCreated(reading(c), requirements, userId, attempt),
    });
    await writing(c, (tx) => createRequirements(c.get('services'), tx, userId, content, attempt));
    return c.body(null, 201);
  },
);
