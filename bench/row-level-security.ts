/**
 * `npm run bench:rls`: the cost of row-level security. 32 callers request a page of 25 of one customer's invoices among
 * 50,000 for some seconds: as the owner of the tables, to whom no policy applies, and as the application does.
 */
import { and, desc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import type { UserId } from '#server/auth/actor.ts';
import { openPool } from '#server/db/pool.ts';
import { invoices } from '#server/db/schema.ts';
import { type Database, readAs } from '#server/db/scope.ts';
import { createTestDatabase, startTestCluster } from '#server/testing/cluster.ts';

const CUSTOMERS = 100;
const INVOICES = 50_000;
const CALLERS = 32;
const SECONDS = 5;

const cluster = await startTestCluster(process.env.DATABASE_URL);
const database = await createTestDatabase(cluster);
const owner = openPool({ connectionString: database.databaseUrl, max: 20 });
const app: Pool = openPool({
  connectionString: database.databaseUrl,
  max: 20,
  options: '-c role=trasvia_app',
});
try {
  await owner.query(`
    insert into profiles (id, email, username)
      select 'cliente-' || n, n || '@example.com', 'cliente' || n from generate_series(1, ${CUSTOMERS}) n;
    insert into invoices (user_id, invoice_number, project_name, amount, issue_date)
      select 'cliente-' || (1 + n % ${CUSTOMERS}), 'FAT' || lpad(n::text, 13, '0') || 'AAAAAAAA', 'Cantiere', 10,
        date '2026-01-01' + n % 300
      from generate_series(1, ${INVOICES}) n;
    analyze invoices`);
  const customer = (number: number) => `cliente-${1 + (number % CUSTOMERS)}` as UserId;
  const page = (db: Database, userId: UserId) =>
    db
      .select()
      .from(invoices)
      .where(and(eq(invoices.userId, userId)))
      .orderBy(desc(invoices.issueDate), desc(invoices.id))
      .limit(25);
  const asOwner = drizzle(owner, { casing: 'snake_case' });
  const ways: [string, (userId: UserId) => Promise<unknown[]>][] = [
    ['as the owner, no policy', (userId) => page(asOwner, userId)],
    ['as the application', (userId) => page(readAs(app, { userId, role: 'user' }), userId)],
  ];
  // The first round warms up.
  for (const round of [0, 1]) {
    for (const [name, ask] of ways) {
      const rate = await measure(ask, round === 0 ? 1 : SECONDS);
      if (round === 1) console.log(`${name}: ${Math.round(rate)} queries/s`);
    }
  }

  async function measure(ask: (userId: UserId) => Promise<unknown[]>, seconds: number): Promise<number> {
    const end = performance.now() + seconds * 1000;
    let done = 0;
    const caller = async (number: number) => {
      for (let turn = number; performance.now() < end; turn += CALLERS) {
        const rows = await ask(customer(turn));
        if (rows.length !== 25) throw new Error(`a page of ${rows.length} rows`);
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
    return done / seconds;
  }
} finally {
  await Promise.all([owner.end(), app.end()]);
  await database.drop();
  await cluster.stop();
}
