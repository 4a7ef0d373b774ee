import { Writable } from 'node:stream';
import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { openLog } from './log.ts';

function logged(err: unknown): string {
  let written = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString('utf8');
      done();
    },
  });
  openLog('info', stream).error({ err }, 'job queue');
  return written;
}

test.each([
  ['as it is', (error: DatabaseError) => error],
  ['as the cause of another', (error: DatabaseError) => new Error('not kept', { cause: error })],
  [
    'copied field by field, as the job queue reports it',
    (error: DatabaseError) => ({ ...error, message: error.message, stack: error.stack, queue: 'mail' }),
  ],
])('a PostgreSQL error is logged without the data that it quotes: %s', (_how, given) => {
  const error = Object.assign(
    new DatabaseError('new row violates check constraint "job_check"', 0, 'error'),
    {
      severity: 'ERROR',
      code: '23514',
      constraint: 'job_check',
      detail: 'Failing row contains (anna.segreta@impresa.example)',
      where: 'COPY job, line 1: "anna.segreta@impresa.example"',
    },
  );
  const line = logged(given(error));
  expect(line).toContain('job_check');
  expect(line).not.toMatch(/segreta/);
});
