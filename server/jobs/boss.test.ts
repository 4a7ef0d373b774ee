import { afterAll, beforeAll, expect, inject, test } from 'vitest';
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
  // Nothing listens there, and what came of the attempt cannot be noted either.
  server = await startTestServer(inject('testCluster'), { MAIL_URL: 'smtp://127.0.0.1:9' }, once);
  await server.make.sql(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not now' using errcode = 'XX123'; end $$;
    create trigger refuse before insert on mail_messages for each row when (new.kind = 'account_code')
      execute function refuse();
    create trigger refuse_outcome before update on mail_messages for each row execute function refuse();
  `);
});
afterAll(() => server.stop());

test('a job that failed keeps the name and code of its failure, and nothing of what it was about', async () => {
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
