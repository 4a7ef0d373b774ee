import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { requestMail } from '#server/features/accounts/commands.ts';
import { QUEUES } from '#server/jobs/boss.ts';
import type { AccountMailKind } from '#server/mail/account-kinds.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { startTestServer } from '#server/testing/server.ts';
import { until } from '#server/testing/until.ts';
import { accountMail } from './mail.ts';

/** Retries at once: the test checks whether a message arrives, not when. */
const impatient = { ...QUEUES, accountMail: { ...QUEUES.accountMail, retryDelay: 0, retryBackoff: false } };

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer(inject('testCluster'), {}, impatient);
  // A sequence keeps its count after a rollback.
  await server.make.sql(`
    create sequence queueings;
    create function fail_first() returns trigger language plpgsql security definer as $$
    begin
      if nextval('queueings') = 1 then raise 'not now'; end if;
      return new;
    end
    $$;
    create trigger fail_first before insert on mail_messages for each row execute function fail_first();
  `);
});
afterAll(() => server.stop());

const subjects: Record<AccountMailKind, string> = {
  recovery: 'Scegli una nuova password',
  code: 'Il tuo codice di accesso',
  verification: 'Conferma il tuo indirizzo email',
};

test.for(['recovery', 'code', 'verification'] as const)(
  'a %s mail arrives even if queueing it fails at first',
  async (kind) => {
    const user = await server.make.user();
    const { api } = await server.as(user);
    await server.make.sql('alter sequence queueings restart');
    const asked = await {
      recovery: () => api.auth.recoveries.$post({ json: { email: user.email } }),
      code: () => api.auth.codes.$post({ json: { email: user.email } }),
      verification: () => api.auth['email-verifications'].$post(),
    }[kind]();
    expect(asked.status).toBe(202);
    const message = await server.mailbox.received(subjects[kind]);
    expect(message.to?.[0]?.address).toBe(user.email);
    const { rows } = await server.make.sql('select last_value::int as count from queueings');
    expect(rows).toEqual([{ count: 2 }]);
  },
);

/** Waits until the account mails asked for so far are queued or left out. */
async function workedOff(): Promise<void> {
  await until('the account mails to be worked off', async () => {
    const { rows } = await server.make.sql(
      "select from pgboss.job where name = 'accountMail' and state < 'completed'",
    );
    return rows.length === 0;
  });
}

async function mailsTo({ id }: TestUser): Promise<unknown[]> {
  const { rows } = await server.make.sql('select kind from mail_messages where user_id = $1', [id]);
  return rows;
}

test('a suspended account is sent nothing', async () => {
  const user = await server.make.user();
  await server.make.sql('update profiles set banned = true where id = $1', [user.id]);
  const visitor = server.anonymous();
  expect((await visitor.api.auth.recoveries.$post({ json: { email: user.email } })).status).toBe(202);
  expect((await visitor.api.auth.codes.$post({ json: { email: user.email } })).status).toBe(202);
  await workedOff();
  expect(await mailsTo(user)).toEqual([]);
});

test('an account whose address was confirmed meanwhile is not asked to confirm it', async () => {
  const [confirmed, other] = [await server.make.user({ emailVerified: true }), await server.make.user()];
  for (const { email } of [confirmed, other]) {
    await requestMail(server.services, 'verification', email, { headers: new Headers(), ipAddress: '::1' });
  }
  await workedOff();
  expect([await mailsTo(confirmed), await mailsTo(other)]).toEqual([[], [{ kind: 'account_verification' }]]);
});

test('an account that is erased while its mail is written is sent nothing', async () => {
  const user = await server.make.user({ banned: true, deletedAt: new Date() });
  const { pool, jobs } = server.services;
  const { recovery } = accountMail(pool, jobs, 'https://trasferte.example');
  await recovery({ id: user.id, email: user.email, name: user.fullName, emailVerified: true }, 'token');
  expect(await mailsTo(user)).toEqual([]);
});
