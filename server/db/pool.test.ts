import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { addDays, todayInRome } from '#contract/dates.ts';
import { readAs, SYSTEM } from '#server/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/cluster.ts';
import { duringTransaction } from '#server/testing/locks.ts';
import { startTestServer } from '#server/testing/server.ts';

describe('on a database whose sessions have other settings by default', () => {
  let database: TestDatabase;
  let server: Awaited<ReturnType<typeof startTestServer>>;
  beforeAll(async () => {
    const cluster = inject('testCluster');
    database = await createTestDatabase(cluster);
    const owner = new Client({ connectionString: database.databaseUrl });
    await owner.connect();
    const name = owner.escapeIdentifier(owner.database ?? '');
    await owner.query(`alter database ${name} set datestyle = 'SQL, DMY'`);
    await owner.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
    await owner.query(`alter database ${name} set lock_timeout = '1ms'`);
    await owner.end();
    const url = new URL(database.databaseUrl);
    url.searchParams.set('options', '-c datestyle=German -c enable_tidscan=off');
    server = await startTestServer(cluster, { DATABASE_URL: url.href });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  test('dates are read, ordered and told as on any other', async () => {
    const user = await server.make.user();
    const startDate = addDays(todayInRome(), -30);
    const [soon, later] = ['2198-11-30', '2198-12-01'];
    await server.make.sql(
      `insert into projects (user_id, name, location, start_date, end_date)
       select $1, 'Cantiere', 'Bari', $2, unnest($3::date[])`,
      [user.id, startDate, [later, soon]],
    );
    const { api } = await server.as(user);
    const answer = await api.projects.$get({ query: { sort: 'nextEnd', direction: 'asc' } });
    expect(answer.status).toBe(200);
    expect((await answer.json()).items).toMatchObject([
      { startDate, endDate: soon },
      { startDate, endDate: later },
    ]);
  });

  test('the second of two edits of one version at the same moment is a conflict', async () => {
    const user = await server.make.user();
    const { id } = await server.make.project(user);
    const { api } = await server.as(user);
    const edit = (name: string) =>
      api.projects[':id'].$patch({ param: { id: String(id) }, json: { name, location: 'Bari', version: 1 } });
    const answers = await Promise.all([edit('Uno'), edit('Due')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('an edit waits for one of the same record', async () => {
    const user = await server.make.user();
    const { id } = await server.make.project(user);
    const { api } = await server.as(user);
    const held: [string, unknown[]] = ['select from projects where id = $1 for update', [id]];
    const answer = await duringTransaction(server, held, 1, () =>
      api.projects[':id'].$patch({
        param: { id: String(id) },
        json: { name: 'Uno', location: 'Bari', version: 1 },
      }),
    );
    expect(answer.status).toBe(200);
  });

  test('further options of the address are those of its sessions, too', async () => {
    const shown = await readAs(server.services.pool, SYSTEM).execute(
      sql`select current_setting('enable_tidscan') as tid, current_setting('role') as role`,
    );
    expect(shown.rows).toEqual([{ tid: 'off', role: 'trasvia_app' }]);
  });
});
