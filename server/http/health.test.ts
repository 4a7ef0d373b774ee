import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { AppEnv } from './env.ts';
import { health } from './health.ts';

type Services = AppEnv['Variables']['services'];

const broken = () => Promise.reject(new Error('connect ECONNREFUSED'));

/** What `/readyz` answers when the services are well except for those in `ill`. */
async function readiness(ill: {
  database?: () => Promise<unknown>;
  files?: () => unknown;
  jobs?: () => unknown;
}) {
  const well = async () => true;
  const { database = well, files = well, jobs = well } = ill;
  const services = { pool: { query: database }, files: { ready: files }, jobs: { ready: jobs } };
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set('services', services as unknown as Services);
      await next();
    })
    .route('/', health);
  expect((await app.request('/healthz')).status).toBe(200);
  const answer = await app.request('/readyz');
  return [answer.status, await answer.json()];
}

test('/readyz names what does not answer, while /healthz tells only that the process runs', async () => {
  const well = { database: true, files: true, jobs: true };
  expect(await readiness({})).toEqual([200, { status: 'ok', ...well }]);
  for (const ill of ['database', 'files', 'jobs'])
    expect(await readiness({ [ill]: broken })).toEqual([
      503,
      { status: 'unavailable', ...well, [ill]: false },
    ]);
  expect(await readiness({ jobs: async () => false })).toEqual([
    503,
    { status: 'unavailable', ...well, jobs: false },
  ]);
});
