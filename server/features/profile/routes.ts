import { accountNamesSchema } from '#contract/accounts.ts';
import { conflictSchema } from '#contract/errors.ts';
import { PICTURE, pictureSchema, profileChangesSchema } from '#contract/profile.ts';
import { z } from '#contract/validation.ts';
import { actorOf } from '#server/http/env.ts';
import { conflictWith } from '#server/http/error-answers.ts';
import { answerFile, FILE_FAILURES, fileAnswers } from '#server/http/file-answer.ts';
import { formBody, uploadLimits, withMultipart } from '#server/http/multipart.ts';
import { limitRate } from '#server/http/rate-limit.ts';
import { createRouter, defineRoute, jsonAnswer, jsonBody } from '#server/http/router.ts';
import { pictureFile, updateProfile, uploadPicture } from './commands.ts';

const tags = ['profile'];
const HOUR = 3600;

export const profileRoutes = createRouter()
  .openapi(
    defineRoute('session', {
      method: 'patch',
      path: '/me',
      tags,
      summary: 'Change the own profile: what is left out stays; never the e-mail, never the role',
      request: { body: jsonBody(profileChangesSchema) },
      responses: {
        204: { description: 'Changed' },
        409: jsonAnswer(
          conflictSchema(accountNamesSchema),
          'A name has changed meanwhile: nothing is written',
        ),
      },
    }),
    async (c) => {
      const current = await updateProfile(c.get('services'), actorOf(c), c.req.valid('json'));
      return current ? c.json(conflictWith(c, accountNamesSchema.parse(current)), 409) : c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'put',
      path: '/me/picture',
      tags,
      summary: 'Upload a profile picture',
      request: { body: formBody() },
      responses: { 200: jsonAnswer(pictureSchema, 'Where the picture is read from') },
      failures: ['image_type', 'image_too_large', 'file_upload_failed', 'too_many_requests'],
    }),
    async (c) => {
      const services = c.get('services');
      const { userId } = actorOf(c);
      await limitRate(c, { key: `picture:${userId}`, points: 30, seconds: HOUR });
      const profilePicture = await withMultipart(c.req.raw, uploadLimits(services, PICTURE), ({ file }) =>
        uploadPicture(services, actorOf(c), file),
      );
      return c.json(pictureSchema.parse({ profilePicture }), 200);
    },
  )
  .openapi(
    defineRoute('session', {
      method: 'get',
      path: '/pictures/{name}',
      tags,
      summary: 'An uploaded profile picture',
      request: { params: z.object({ name: z.uuid() }) },
      responses: fileAnswers('A square WebP'),
      failures: FILE_FAILURES,
    }),
    (c) =>
      answerFile(c, pictureFile(c.req.valid('param').name), {
        name: 'foto.webp',
        type: 'image/webp',
        disposition: 'inline',
        maxAge: HOUR,
      }),
  );
