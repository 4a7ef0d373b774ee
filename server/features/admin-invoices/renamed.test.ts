import { expect } from 'vitest';
import { adminInvoiceListSchema } from '#contract/admin-invoices.ts';
import { invoiceSchema } from '#contract/invoices.ts';
import { connectOwner } from '#server/db/migrate.ts';
import { totalMismatches } from '#server/testing/invoice-facts.ts';
import { invoiceForm } from '#server/testing/invoice-form.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test as base } from '#server/testing/test.ts';

/** Enough invoices for the treatment of large projects (more than 100, migration 0153). */
const MANY = 300;
const RENAMES = 4;

/** A project with many invoices, another customer's project, and the invoice administrator. */
const test = base.extend('desk', async ({ server }) => {
  const customer = await server.make.user();
  const large = await server.make.project(customer, { name: 'Laminatoio zero' });
  await server.make.sql(
    `insert into invoices (user_id, invoice_number, project_id, project_name, amount, issue_date)
     select $1, 'FAT' || 1800000000000 + $2::bigint * 1000 + n || 'AAAAAAAA', $2, $3, 10, current_date - 1
     from generate_series(1, ${MANY}) n`,
    [customer.id, large.id, large.name],
  );
  const other = await server.make.user();
  const small = await server.make.project(other, { name: 'Porto di Livorno' });
  const clerk = await server.as(await server.make.invoiceAdmin());
  const found = async (search: string) => {
    const answer = await clerk.request(`/api/admin/invoices?search=${encodeURIComponent(search)}`);
    expect(answer.status).toBe(200);
    return adminInvoiceListSchema.parse(await answer.json()).total;
  };
  const create = async (userId: string, projectId: number, description: string) => {
    const body = invoiceForm({ userId, projectId, description });
    const answer = await clerk.request('/api/admin/invoices', { method: 'POST', body });
    expect(answer.status).toBe(201);
    return invoiceSchema.parse(await answer.json());
  };
  return { customer, large, other, small, clerk, found, create };
});

/** Flushes the pending list of the search index. @returns how many pages it had */
async function waitingPages({ make }: TestServer): Promise<number> {
  const { rows } = await make.sql<{ pages: number }>(
    "select gin_clean_pending_list('invoices_search')::int as pages",
  );
  return rows[0]?.pages ?? 0;
}

test('invoices can be created, changed and found while a project with many invoices is renamed', async ({
  server,
  desk,
}) => {
  const { customer, large, other, small, clerk, found, create } = desk;
  const owner = await server.as(customer);
  const kept = await create(other.id, small.id, 'Vitto costante');
  const unnamed = await found('laminatoio zero');
  let renaming = true;
  const rename = async () => {
    const { location, startDate, endDate } = large;
    for (let version = 1; version <= RENAMES; version += 1) {
      const name = `Laminatoio ${['uno', 'due', 'tre', 'quattro'][version - 1]}`;
      const change = { name, location, startDate, endDate, openingSpent: 0, version };
      expect((await owner.send('PATCH', `/api/projects/${large.id}`, change)).status).toBe(200);
    }
    renaming = false;
  };
  let [ofOthers, ofLarge] = [0, 0];
  const createOthers = async () => {
    while (renaming) {
      ofOthers += 1;
      await create(other.id, small.id, `Pernottamenti notte${ofOthers}z`);
      expect(await found(`notte${ofOthers}z`)).toBe(1);
    }
  };
  const createOfLarge = async () => {
    while (renaming) {
      await create(customer.id, large.id, 'Noleggio');
      ofLarge += 1;
    }
  };
  const change = async () => {
    for (let version = 1; renaming; version += 1) {
      const { issueDate, dueDate } = kept;
      const edit = { version, projectId: small.id, amount: version, issueDate, dueDate };
      const description = `Vitto costante modifica${version}z`;
      const path = `/api/admin/invoices/${kept.number}`;
      expect((await clerk.send('PATCH', path, { ...edit, description })).status).toBe(200);
      expect(await found(`modifica${version}z`)).toBe(1);
    }
  };
  const search = async () => {
    while (renaming) {
      const before = ofLarge;
      expect(await found('laminatoio')).toBeGreaterThanOrEqual(MANY + before);
      expect(await found('vitto costante')).toBe(1);
    }
  };
  await Promise.all([rename(), createOthers(), createOfLarge(), change(), search()]);

  expect(await found('laminatoio quattro')).toBe(MANY + ofLarge);
  expect(await found('laminatoio zero')).toBe(unnamed - MANY);
  for (const earlier of ['uno', 'due', 'tre']) expect(await found(`laminatoio ${earlier}`)).toBe(0);
  expect(await found('pernottamenti notte')).toBe(ofOthers);
  expect(await totalMismatches(server)).toEqual([]);
});

test.for([
  ['renamed', "update projects set name = 'Acciaieria' where id = $1"],
  ['deleted', 'delete from projects where id = $1'],
] as const)(
  'an invoice created while a project with many is %s stays in the pending list of the search index',
  async ([, statement], { server, desk }) => {
    const { large, other, small, found, create } = desk;
    // Autovacuum would flush the pending list, too.
    await server.make.sql('alter table invoices set (autovacuum_enabled = off)');
    const many = await connectOwner(server.services.env.databaseUrl ?? '');
    await many.query('begin');
    await many.query(statement, [large.id]);
    await create(other.id, small.id, `Lavanderia voce${large.id}z`);
    expect(await found(`voce${large.id}z`)).toBe(1);
    expect(await waitingPages(server)).toBeGreaterThan(0);
    await many.query('commit');
    await many.end();
    await create(other.id, small.id, 'Parcheggio');
    expect(await waitingPages(server)).toBe(0);
  },
);
