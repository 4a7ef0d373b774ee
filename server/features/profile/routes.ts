import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { accountNamesSchema } from '#contract/accounts.ts';
import { todayInRome } from '#contract/dates.ts';
import { conflictSchema } from '#contract/errors.ts';
import { PICTURE, pictureSchema, profileChangesSchema } from '#contract/profile.ts';
import { ownershipSchema } from '#contract/two-factor.ts';
import { z } from '#contract/validation.ts';
import { limitProofs } from '#server/auth/limits.ts';
import { originOf, setCookies } from '#server/auth/request.ts';
import { type AppEnv, actorOf } from '#server/http/env.ts';
import { conflictWith } from '#server/http/error-answers.ts';
import { answerFile, contentDisposition, FILE_FAILURES, fileAnswers } from '#server/http/file-answer.ts';
import { formBody, uploadLimits, withMultipart } from '#server/http/multipart.ts';
import { checkRate, limitRate } from '#server/http/rate-limit.ts';
import { createRouter, defineRoute, jsonAnswer, jsonBody } from '#server/http/router.ts';
import { deleteOwnAccount, packOwnData, pictureFile, updateProfile, uploadPicture } from './commands.ts';

const tags = ['profile'];
const HOUR = 3600;

/** How often one account may download its data. */
const dataLimit = (c: Context<AppEnv>) => ({
  key: `data:${actorOf(c).userId}`,
  points: 10,
  seconds: HOUR,
});

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
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/me/data',
      tags,
      summary: 'Everything kept about the own account, as a ZIP of JSON and PDFs',
      responses: { 200: { description: 'application/zip' } },
      failures: ['too_many_requests'],
    }),
    async (c) => {
      await limitRate(c, dataLimit(c));
      const zip = await packOwnData(c.get('services'), actorOf(c), originOf(c));
      c.header('Content-Type', 'application/zip');
      c.header('Content-Disposition', contentDisposition('attachment', `i-miei-dati-${todayInRome()}.zip`));
      // The same stream under the web's type.
      return c.body(Readable.toWeb(zip) as ReadableStream);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/me/data/availability',
      tags,
      summary: 'Whether the ZIP is to be had: a browser that saves a link tells nobody why it was refused',
      responses: { 204: { description: 'It may' } },
      failures: ['too_many_requests'],
    }),
    async (c) => {
      await checkRate(c, dataLimit(c));
      return c.body(null, 204);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'delete',
      path: '/me',
      tags,
      summary: 'Delete the own account',
      request: { body: jsonBody(ownershipSchema) },
      responses: { 204: { description: 'Deleted; invoices stay as fiscal records' } },
      failures: ['wrong_password', 'password_missing', 'invalid_code', 'last_admin', 'too_many_requests'],
    }),
    async (c) => {
      const guesses = await limitProofs(c, actorOf(c).userId);
      const proof = c.req.valid('json');
      setCookies(c, await deleteOwnAccount(c.get('services'), actorOf(c), proof, originOf(c)));
      await guesses.forget();
      return c.body(null, 204);
    },
  );
