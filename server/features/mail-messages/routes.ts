import { undeliveredMailListSchema, undeliveredMailQuerySchema } from '#contract/mail-messages.ts';
import { AppError } from '#server/errors.ts';
import { reading, writing } from '#server/http/env.ts';
import { createRouter, defineRoute, idParams, jsonAnswer } from '#server/http/router.ts';
import { resendMail } from '#server/mail/queue.ts';
import { listUndeliveredMail } from './queries.ts';

export const mailMessageRoutes = createRouter()
  .openapi(
    defineRoute('admin', {
      method: 'get',
      path: '/admin/mail-messages',
      tags: ['mail-messages'],
      summary: 'Messages that could not be delivered so far, newest first',
      request: { query: undeliveredMailQuerySchema },
      responses: { 200: jsonAnswer(undeliveredMailListSchema, 'A page of messages') },
    }),
    async (c) =>
      c.json(
        undeliveredMailListSchema.parse(await listUndeliveredMail(reading(c), c.req.valid('query'))),
        200,
      ),
  )
  .openapi(
    defineRoute('admin', {
      method: 'post',
      path: '/admin/mail-messages/{id}/resend',
      tags: ['mail-messages'],
      summary: 'Try again a message that was given up',
      request: { params: idParams },
      responses: { 204: { description: 'It is queued again, with the same Message-ID' } },
      failures: ['mail_not_given_up'],
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const queued = await writing(c, (tx) => resendMail(tx, c.get('services').jobs, id));
      if (!queued) throw new AppError('mail_not_given_up');
      return c.body(null, 204);
    },
  );
