import { Hono } from 'hono';
import { answerWithin } from './answer-within.ts';
import type { AppEnv } from './env.ts';

const CHECK_TIMEOUT_MS = 3_000;

function answers(check: Promise<unknown>): Promise<boolean> {
  return answerWithin(
    CHECK_TIMEOUT_MS,
    check.then((result) => result !== false),
    false,
  );
}

/**
 * `/healthz`: the process is running. `/readyz`: database, files and job queue answer; a 503 names the one that does not.
 */
export const health = new Hono<AppEnv>()
  .get('/healthz', (c) => c.json({ status: 'ok' }))
  .get('/readyz', async (c) => {
    const { pool, files, jobs } = c.get('services');
    const [database, store, queue] = await Promise.all([
      answers(pool.query('select 1')),
      answers(files.ready()),
      answers(jobs.ready()),
    ]);
    const ready = database && store && queue;
    return c.json(
      { status: ready ? 'ok' : 'unavailable', database, files: store, jobs: queue },
      ready ? 200 : 503,
    );
  });
