import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { QUEUES } from '#server/jobs/boss.ts';
import type { AccountMailKind } from '#server/mail/account-kinds.ts';
import { startTestServer } from '#server/testing/server.ts';

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
  recovery: 'Reimposta la password',
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
