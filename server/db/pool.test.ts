import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { addDays, todayInRome } from '#contract/dates.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/cluster.ts';
import { startTestServer } from '#server/testing/server.ts';

describe('on a database whose sessions have another date format and isolation by default', () => {
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
    await owner.end();
    server = await startTestServer(cluster, { DATABASE_URL: database.databaseUrl });
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
});
