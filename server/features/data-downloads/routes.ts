import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { dataDownloadName } from '#contract/data-downloads.ts';
import { todayInRome } from '#contract/dates.ts';
import { originOf } from '#server/auth/request.ts';
import { type AppEnv, actorOf } from '#server/http/env.ts';
import { contentDisposition } from '#server/http/file-answer.ts';
import { checkRate, limitRate } from '#server/http/rate-limit.ts';
import { createRouter, defineRoute } from '#server/http/router.ts';
import { packOwnData } from './commands.ts';

const tags = ['data-downloads'];
const HOUR = 3600;

/** How often one account may download its data. */
const dataLimit = (c: Context<AppEnv>) => ({
  key: `data:${actorOf(c).userId}`,
  points: 10,
  seconds: HOUR,
});

export const dataDownloadRoutes = createRouter()
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
      c.header('Content-Disposition', contentDisposition('attachment', dataDownloadName(todayInRome())));
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
  );
