import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { SYSTEM, transaction } from '#server/db/scope.ts';
import { ROOT } from '#server/root.ts';
import { startTestServer } from '#server/testing/server.ts';
import { until } from '#server/testing/until.ts';
import { QUEUES } from './boss.ts';

/** Each job has one attempt. */
const once = {
  ...QUEUES,
  mail: { ...QUEUES.mail, retryLimit: 0 },
  accountMail: { ...QUEUES.accountMail, retryLimit: 0 },
};

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  // Nothing listens there, and the triggers below also prevent the outcome from being recorded.
  server = await startTestServer(inject('testCluster'), { MAIL_URL: 'smtp://127.0.0.1:9' }, once);
  await server.make.sql(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not now' using errcode = 'XX123'; end $$;
    create trigger refuse before insert on mail_messages for each row when (new.kind = 'account_code')
      execute function refuse();
    create trigger refuse_outcome before update on mail_messages for each row execute function refuse();
  `);
});
afterAll(() => server.stop());

test('a failed job keeps only the name and code of its error', async () => {
  const { email } = await server.make.user();
  const { api } = server.anonymous();
  await api.auth.codes.$post({ json: { email } });
  await api.auth.recoveries.$post({ json: { email } });
  const failed = await until('both to fail', async () => {
    const { rows } = await server.make.sql(
      `select name, case name when 'undelivered' then source_output else output end as kept from pgboss.job
       where name = 'undelivered' or (name in ('mail', 'accountMail') and state = 'failed') order by name`,
    );
    return rows.length === 3 ? rows : null;
  });
  const kept = { name: 'Error', code: 'XX123' };
  expect(failed).toEqual(['accountMail', 'mail', 'undelivered'].map((name) => ({ name, kept })));
});

test('a job is queued only if its transaction commits', async () => {
  const { jobs, pool } = server.services;
  const queue = (path: string, refusal?: Error) =>
    transaction(pool, SYSTEM, async (tx) => {
      await jobs.send(tx, 'fileRemoval', { path });
      if (refusal) throw refusal;
    });
  await expect(queue('nobody/undone.pdf', new Error('undone'))).rejects.toThrow('undone');
  await queue('nobody/done.pdf');
  const { rows } = await server.make.sql("select data from pgboss.job where name = 'fileRemoval'");
  expect(rows).toEqual([{ data: { path: 'nobody/done.pdf' } }]);
});

test('the migration removes from old failed jobs all but the name and code of the error', async () => {
  const { sql } = server.make;
  const migration = await readFile(join(ROOT, 'server/db/migrations/0148_failed_jobs.sql'), 'utf8');
  const error = {
    name: 'Error',
    code: 'EENVELOPE',
    message: '550 <anna@example.com> unknown',
    stack: 'Error: 550 <anna@example.com>',
    rejected: ['anna@example.com'],
  };
  const timeout = { value: { message: 'job timed out' } };
  const { rows: made } = await sql<{ id: string }>(
    `insert into pgboss.job (name, data, state, output, source_output)
     select 'mail', '{}', 'failed', output, source_output
     from (values (1, $1::jsonb, null::jsonb), (2, null, $1), (3, $2, null), (4, null, null)) jobs (nth, output, source_output)
     order by nth returning id`,
    [JSON.stringify(error), JSON.stringify(timeout)],
  );
  const ids = made.map(({ id }) => id);
  onTestFinished(async () => {
    await sql('delete from pgboss.job where id = any($1::uuid[])', [ids]);
  });
  await sql(migration);
  const { rows } = await sql(
    `select output, source_output from unnest($1::uuid[]) with ordinality made (id, nth)
     join pgboss.job using (id) order by nth`,
    [ids],
  );
  const kept = { name: 'Error', code: 'EENVELOPE' };
  expect(rows).toEqual([
    { output: kept, source_output: null },
    { output: null, source_output: kept },
    { output: {}, source_output: null },
    { output: null, source_output: null },
  ]);
});
