import { createMiddleware } from 'hono/factory';
import {
  CONTACT_FAILED_PATH,
  CONTACT_REFUSED_PATH,
  CONTACT_SENT_PATH,
  contactRequestSchema,
} from '#contract/contact-requests.ts';
import { AppError } from '#server/errors.ts';
import { type AppEnv, writing } from '#server/http/env.ts';
import { callerLine, limitRate } from '#server/http/rate-limit.ts';
import { contentTypeOf } from '#server/http/requests.ts';
import { createRouter, defineRoute, idempotencyHeader, requestAttempt } from '#server/http/router.ts';
import { createContactRequest } from './commands.ts';
import { isStored } from './queries.ts';

/** Far above what a person who makes mistakes and retries needs. */
const RATE = { points: 10, seconds: 600 } as const;

const FORM = 'application/x-www-form-urlencoded';

/** Answers a form posted without JavaScript with an error page instead of JSON. */
const failOnPage = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const { status } = c.res;
  if (contentTypeOf(c) !== FORM || status < 400) return;
  c.res = c.redirect(status === 422 ? CONTACT_REFUSED_PATH : CONTACT_FAILED_PATH, 303);
});

export const contactRequestRoutes = createRouter();
contactRequestRoutes.use('/contact-requests', failOnPage);
contactRequestRoutes.openapi(
  defineRoute('anonymous', {
    method: 'post',
    path: '/contact-requests',
    tags: ['contact-requests'],
    summary: 'Ask to be contacted; it is stored, and mailed to the provider',
    request: {
      headers: idempotencyHeader,
      body: {
        // The body must be optional, so that each content type only runs its own validator.
        required: false,
        content: {
          'application/json': { schema: contactRequestSchema },
          'application/x-www-form-urlencoded': { schema: contactRequestSchema },
        },
      },
    },
    responses: {
      201: { description: 'The request is on its way' },
      303: { description: 'The same, for a form that the browser posted itself' },
    },
    failures: ['too_many_requests'],
  }),
  async (c) => {
    const type = contentTypeOf(c);
    const isForm = type === FORM;
    if (!isForm && type !== 'application/json') throw new AppError('unsupported_media_type');
    const request = isForm ? c.req.valid('form') : c.req.valid('json');
    const attempt = requestAttempt(c.req.valid('header'), request);
    await limitRate(c, {
      key: `contact-request:${callerLine(c)}`,
      ...RATE,
      isRepeated: () => isStored(c.get('services'), attempt),
    });
    await writing(c, (tx) => createContactRequest(c.get('services'), tx, request, attempt));
    return isForm ? c.redirect(CONTACT_SENT_PATH, 303) : c.body(null, 201);
  },
);
