import { eq } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect } from 'vitest';
import { KEPT_DAYS } from '#contract/retention.ts';
import { tripRequests } from '#server/db/schema.ts';
import { SYSTEM, transaction } from '#server/db/scope.ts';
import { signIn } from '#server/testing/client.ts';
import { waitForLocks } from '#server/testing/locks.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';
import { until } from '#server/testing/until.ts';
import { purge } from './retention.ts';

/**
 * Every table, and what happens to personal data in it. A missing table fails the test, so that whoever adds one decides.
 * `export`: its name in the exported file (GDPR art. 15, 20), or why it is not exported.
 * `erasure`: what happens when the account is deleted (art. 17).
 */
const TABLES: Record<
  string,
  { export: string | { not: string }; erasure: 'gone' | 'emptied' | { kept: string } }
> = {
  profiles: { export: 'profile', erasure: 'emptied' },
  sessions: { export: 'sessions', erasure: 'gone' },
  accounts: { export: { not: 'a password hash' }, erasure: 'gone' },
  two_factors: { export: { not: 'secrets' }, erasure: 'gone' },
  verifications: { export: { not: 'hashes of links and codes' }, erasure: { kept: 'hashes, for an hour' } },
  jwks: { export: { not: 'signing keys of the product' }, erasure: { kept: 'no personal data' } },
  audit_events: { export: 'securityEvents', erasure: { kept: 'security, two years, by id alone' } },
  projects: { export: 'projects', erasure: { kept: 'those with invoices: fiscal records refer to them' } },
  employees: { export: 'employees', erasure: 'emptied' },
  project_assignments: { export: 'projectAssignments', erasure: { kept: 'without names' } },
  assignment_periods: { export: 'assignmentPeriods', erasure: { kept: 'without names' } },
  employee_status_changes: { export: 'employeeStatusChanges', erasure: { kept: 'without names' } },
  invoices: { export: 'invoices', erasure: { kept: 'fiscal records, ten years' } },
  invoice_events: { export: 'invoiceEvents', erasure: { kept: 'history of fiscal records' } },
  invoice_totals: { export: { not: 'sums of invoices' }, erasure: { kept: 'sums of fiscal records' } },
  invoice_day_totals: { export: { not: 'sums over all customers' }, erasure: { kept: 'no personal data' } },
  invoice_month_totals: { export: { not: 'sums over all customers' }, erasure: { kept: 'no personal data' } },
  unpaid_invoice_month_totals: {
    export: { not: 'sums over all customers' },
    erasure: { kept: 'no personal data' },
  },
  unpaid_invoice_totals: {
    export: { not: 'sums over all customers' },
    erasure: { kept: 'no personal data' },
  },
  profile_counts: { export: { not: 'counts' }, erasure: { kept: 'no personal data' } },
  trip_request_counts: { export: { not: 'counts' }, erasure: { kept: 'no personal data' } },
  trip_requests: { export: 'tripRequests', erasure: 'gone' },
  trip_request_events: { export: 'tripRequestEvents', erasure: 'gone' },
  offers: { export: 'offers', erasure: 'gone' },
  offer_solutions: { export: 'offerSolutions', erasure: 'gone' },
  requirements: { export: 'requirements', erasure: 'gone' },
  support_requests: { export: 'supportRequests', erasure: 'gone' },
  mail_messages: { export: 'messages', erasure: 'gone' },
  contact_requests: {
    export: { not: 'visitors, who have no account' },
    erasure: { kept: 'visitors; one year' },
  },
  rate_limits: { export: { not: 'hashes' }, erasure: { kept: 'hashes, for minutes' } },
  schema_migrations: { export: { not: 'no personal data' }, erasure: { kept: 'no personal data' } },
};

/** Words that occur in the data of this person only. */
const PERSON = {
  fullName: 'Ermenegilda Riconoscibile',
  email: 'ermenegilda.riconoscibile@example.com',
  username: 'ermenegilda.riconoscibile',
};
const WORKER = 'Operaio Inconfondibile';
/** Digest of the input of a record, names included. */
const DIGEST = 'impronta-inconfondibile';
const WORDS = [
  ...Object.values(PERSON),
  WORKER,
  'inconfondibile@example.com',
  '+39 099 7654321',
  'Parole riservate',
  DIGEST,
];

/** A customer with something in every table that can hold their data. */
async function somebody(server: TestServer) {
  const user = await server.make.user(PERSON);
  const project = await server.make.project(user);
  await server.make.employee(
    user,
    { name: WORKER, email: 'inconfondibile@example.com', phone: '+39 099 7654321' },
    project,
  );
  const request = await server.make.tripRequest(user, {
    otherRequests: 'Parole riservate',
    phone: '+39 099 7654321',
  });
  await server.make.sql(
    `with offer as (
       insert into offers (trip_request_id, user_id, note) values ($1, $2, 'Parole riservate') returning id)
     insert into offer_solutions (offer_id, user_id, accommodation, name, total)
     select id, $2, 'hotel', 'Hotel al Porto', 12480.50 from offer`,
    [request.id, user.id],
  );
  await server.make.undeliveredMail({ userId: user.id, bodyText: `Parole riservate di ${PERSON.fullName}` });
  const { invoiceNumber } = await server.make.invoice(user, project);
  await server.make.sql('update profiles set idempotency_digest = $2 where id = $1', [user.id, DIGEST]);
  for (const table of ['projects', 'employees'])
    await server.make.sql(`update ${table} set idempotency_digest = $2 where user_id = $1`, [
      user.id,
      DIGEST,
    ]);
  await server.make.sql(
    "insert into invoice_events (invoice_number, user_id, action) values ($1, $2, 'created')",
    [invoiceNumber, user.id],
  );
  await server.make.sql('insert into requirements (user_id, content) values ($1, $2)', [
    user.id,
    { notes: 'Parole riservate' },
  ]);
  await server.make.sql(
    "insert into support_requests (user_id, reference, message) values ($1, 'RIF-0001', 'Parole riservate')",
    [user.id],
  );
  const visitor = await signIn(server.anonymous(), user);
  // A mailed code that is never used.
  expect((await visitor.send('POST', '/api/auth/codes', { email: PERSON.email })).status).toBe(202);
  return { user, visitor };
}

async function tablesOf(server: TestServer): Promise<string[]> {
  const { rows } = await server.make.sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Tables, job queues included, with one of the words in any column. */
async function tablesWith(server: TestServer, words: string[]): Promise<string[]> {
  const { rows } = await server.make.sql<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'pgboss') and c.relkind = 'r'`,
  );
  const found = [];
  for (const { name } of rows) {
    const hits = await server.make.sql(
      `select from ${name} t, unnest($1::text[]) word where strpos(lower(t::text), word) > 0`,
      [words.map((word) => word.toLowerCase())],
    );
    if (hits.rowCount) found.push(name.replace('public.', ''));
  }
  return found.sort();
}

describe('personal data', () => {
  test('has export, erasure and retention decided for every table', async ({ server }) => {
    expect(await tablesOf(server)).toEqual(Object.keys(TABLES).sort());
    for (const table of Object.keys(KEPT_DAYS)) expect(Object.keys(TABLES)).toContain(table);
  });

  test('is exported completely, and erased completely with the account', async ({ server }) => {
    const { user, visitor } = await somebody(server);
    const download = await visitor.request('/api/me/data');
    const { 'dati.json': file = new Uint8Array() } = unzipSync(new Uint8Array(await download.arrayBuffer()));
    const exported = strFromU8(file);
    const data: Record<string, unknown> = JSON.parse(exported);
    for (const [table, { export: name }] of Object.entries(TABLES)) {
      if (typeof name !== 'string') continue;
      const records = [data[name]].flat();
      expect([table, records.length > 0 && records[0] !== undefined]).toEqual([table, true]);
    }
    for (const word of WORDS) expect(exported).toContain(word);
    // The export contains no credentials.
    const { rows: secrets } = await server.make.sql<{ secret: string }>(
      `select token as secret from sessions where user_id = $1
       union all select password from accounts where user_id = $1`,
      [user.id],
    );
    for (const { secret } of secrets) expect(exported).not.toContain(secret);

    const before = await tablesWith(server, WORDS);
    expect(before).toEqual(expect.arrayContaining(['employees', 'mail_messages', 'profiles']));
    const deleted = await visitor.send('DELETE', '/api/me', { password: user.password });
    expect(deleted.status).toBe(204);
    // A job that sent a code holds the address until an hour after it completed.
    const after = await tablesWith(server, WORDS);
    expect(after.filter((name) => name !== 'pgboss.job_common')).toEqual([]);
    for (const [table, { erasure }] of Object.entries(TABLES)) {
      if (erasure !== 'gone') continue;
      const { rowCount } = await server.make.sql(`select from "${table}" where user_id = $1`, [user.id]);
      expect([table, rowCount]).toEqual([table, 0]);
    }
  });
});

describe('an erasure', () => {
  test('leaves no message or request that was being written at the same moment', async ({ server }) => {
    const user = await server.make.user();
    const visitor = await server.as(user);
    const { id } = await server.make.tripRequest(user);
    const [erased, written] = await transaction(server.services.pool, SYSTEM, async (tx) => {
      await tx.select().from(tripRequests).where(eq(tripRequests.id, id)).for('update');
      const answers = [visitor.send('DELETE', '/api/me', { password: user.password })];
      await waitForLocks(server, 1);
      const code = await server.anonymous().send('POST', '/api/auth/codes', { email: user.email });
      expect(code.status).toBe(202);
      answers.push(visitor.send('POST', '/api/support-requests', { messaggio: 'Aiuto' }));
      await waitForLocks(server, 3);
      return answers;
    });
    expect((await erased)?.status).toBe(204);
    expect((await written)?.status).toBe(401);
    const unfinished = "select from pgboss.job where name = 'accountMail' and state <> 'completed'";
    await until('the mail to be dealt with', async () => (await server.make.sql(unfinished)).rowCount === 0);
    for (const table of ['mail_messages', 'support_requests', 'trip_requests']) {
      const { rowCount } = await server.make.sql(`select from ${table} where user_id = $1`, [user.id]);
      expect([table, rowCount]).toEqual([table, 0]);
    }
  });
});

describe('retention', () => {
  test('deletes records past their retention period and no others', async ({ server }) => {
    const user = await server.make.user();
    const { sql } = server.make;
    for (const age of ['1 day', '800 days']) {
      await server.make.undeliveredMail({ userId: user.id });
      await server.make.undeliveredMail({ userId: user.id, state: 'queued' });
      await sql(
        "update mail_messages set created_at = now() - $1::interval where created_at > now() - interval '1 hour'",
        [age],
      );
      await sql(
        `insert into contact_requests (first_name, last_name, phone, contact_preference, created_at)
         values ('Anna', 'Verdi', '1', 'email', now() - $1::interval)`,
        [age],
      );
      await sql(
        `insert into support_requests (user_id, reference, message, created_at)
         values ($1, 'RIF ' || $2, 'Aiuto', now() - $2::interval)`,
        [user.id, age],
      );
      await sql(
        `insert into requirements (user_id, content, created_at) values ($1, '{}', now() - $2::interval)`,
        [user.id, age],
      );
      await sql(
        `insert into audit_events (action, subject_id, at) values ('login', $1, now() - $2::interval)`,
        [user.id, age],
      );
    }
    // Expired credentials are kept until the next purge.
    for (const left of ['-1 minute', '1 hour']) {
      await sql(
        'insert into sessions (id, user_id, token, expires_at) values ($2::text, $1, $2::text, now() + $2::text::interval)',
        [user.id, left],
      );
      await sql(
        "insert into verifications (id, identifier, value, expires_at) values ($1::text, $1::text, 'x', now() + $1::text::interval)",
        [left],
      );
    }
    await sql(
      `insert into sessions (id, user_id, token, created_at, expires_at)
       values ('old', $1, 'old', now() - interval '91 days', now() + interval '5 days')`,
      [user.id],
    );
    // A queued message is never deleted.
    expect(await purge(server.services.pool, server.services.log)).toEqual({
      mail_messages: 1,
      contact_requests: 1,
      support_requests: 1,
      requirements: 1,
      audit_events: 1,
      credentials: 3,
    });
    expect(Object.values(await purge(server.services.pool, server.services.log))).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('is carried out every night at half past three in Rome', async ({ server }) => {
    const { sql } = server.make;
    const { rows: times } = await sql('select name, cron, timezone from pgboss.schedule');
    expect(times).toEqual([{ name: 'retention', cron: '30 3 * * *', timezone: 'Europe/Rome' }]);
    await sql("insert into audit_events (action, at) values ('login', now() - interval '800 days')");
    const { pool, jobs } = server.services;
    await transaction(pool, SYSTEM, (tx) => jobs.send(tx, 'retention', {}));
    await until('the old event to be deleted', async () => {
      const { rows } = await sql("select from audit_events where at < now() - interval '799 days'");
      return rows.length === 0;
    });
  });
});
