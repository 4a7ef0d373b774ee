import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { Client } from 'pg';
import { describe, expect, inject } from 'vitest';
import { startEmbeddedPostgres } from '#server/db/embedded.ts';
import { ensureDemoAccounts } from '#server/demo/ensure.ts';
import type { Visitor } from '#server/testing/client.ts';
import { createTestDatabase, makeTestFolder } from '#server/testing/cluster.ts';
import { type InvoiceFormValues, invoiceForm } from '#server/testing/invoice-form.ts';
import { pdfOf } from '#server/testing/pdf.ts';
import { test } from '#server/testing/test.ts';
import { examine, type Finding } from './doctor.ts';
import { makeAccount, resetAccount } from './operator.ts';

function states(findings: Finding[]): Record<string, Finding['state']> {
  return Object.fromEntries(findings.map(({ subject, state }) => [subject, state]));
}

describe('the doctor', () => {
  test('finds no errors in a healthy installation', async ({ server }) => {
    const { env } = server.services;
    await server.make.invoiceAdmin();
    const findings = await examine(env, env.databaseUrl ?? '');
    expect(findings.filter(({ state }) => state === 'error')).toEqual([]);
    expect(states(findings)).toMatchObject({
      migrations: 'ok',
      'row-level security': 'ok',
      'stored totals': 'ok',
      files: 'ok',
      clock: 'ok',
      'invoice administrator': 'ok',
    });
  });

  test('reports each problem with advice', async ({ server }) => {
    const { env, files } = server.services;
    const customer = await server.make.user();
    const project = await server.make.project(customer);
    await server.make.invoice(customer, project, {
      fileName: 'a.pdf',
      fileUrl: `${customer.id}/gone_fattura.pdf`,
    });
    await files.put('nobody/FAT_fattura.pdf', Readable.from([pdfOf(10)]));
    await server.make.undeliveredMail();
    await ensureDemoAccounts(server.services);
    await server.make.sql('alter table projects disable trigger user');
    await server.make.sql('update projects set spent_to_date = 1 where id = $1', [project.id]);
    await server.make.sql('alter table projects enable trigger user');
    await server.make.sql('alter table employees disable row level security');
    const findings = await examine(
      {
        ...env,
        publicUrl: 'http://trasferte.example',
        demo: true,
        mailUrl: 'smtp://127.0.0.1:9',
        mailFrom: 'Trasvia <noreply@trasvia.example>',
        workers: availableParallelism() + 1,
      },
      env.databaseUrl ?? '',
    );
    expect(states(findings)).toMatchObject({
      PUBLIC_URL: 'error',
      DEMO: 'error',
      'demo accounts': 'error',
      MAIL_FROM: 'warning',
      WORKERS: 'warning',
      'row-level security': 'error',
      'stored totals': 'error',
      'failed mail': 'error',
      files: 'error',
      mail: 'error',
    });
    const silent = findings.filter(({ state, advice }) => state !== 'ok' && !advice);
    expect(silent).toEqual([]);
  });

  test.for([
    ['smtp://127.0.0.1:9?requiretls=true', 'MAIL_URL has an unknown parameter "requiretls"'],
    ['emailjs:https://mail.example/send?service=a', expect.stringMatching(/^MAIL_URL must be emailjs:/)],
  ] as const)(
    'reports that the product does not start with MAIL_URL=%s',
    async ([mailUrl, found], { server }) => {
      const { env } = server.services;
      const findings = await examine({ ...env, mailUrl }, env.databaseUrl ?? '');
      expect(findings.find(({ subject }) => subject === 'mail')).toMatchObject({ state: 'error', found });
    },
  );

  test('names a former invoice administrator who still has administrator rights', async ({ server }) => {
    const { env } = server.services;
    const [admin, customer, former] = [
      await server.make.user({ role: 'admin' }),
      await server.make.user(),
      await server.make.invoiceAdmin(),
    ];
    const [own, project] = [await server.make.project(admin), await server.make.project(customer)];
    const office = await server.as(former);
    const create = async (path: string, by: Visitor, form: InvoiceFormValues) =>
      expect((await by.request(path, { method: 'POST', body: invoiceForm(form) })).status).toBe(201);
    await create('/api/invoices', await server.as(admin), { projectId: own.id });
    await create('/api/admin/invoices', office, { userId: customer.id, projectId: project.id });
    const named = async (invoiceAdminEmail: string) =>
      (await examine({ ...env, invoiceAdminEmail }, env.databaseUrl ?? '')).filter(
        ({ subject }) => subject === 'former invoice administrator',
      );
    expect(await named(env.invoiceAdminEmail)).toEqual([]);
    expect(await named('ufficio@trasferte.it')).toEqual([
      {
        subject: 'former invoice administrator',
        state: 'warning',
        found: `${former.email} can now manage users and requests`,
        advice: expect.stringContaining(`npm run account -- ${former.email} --role user`),
      },
    ]);

    // These never wrote an invoice.
    const as = (invoiceAdminEmail: string) => ({ ...server.services, env: { ...env, invoiceAdminEmail } });
    const made = { email: 'fatture1@trasferte.it', password: 'segreto', fullName: 'Ida', companyName: null };
    await makeAccount(as(made.email), made, 'admin');
    const promoted = await server.make.user({ email: 'fatture2@trasferte.it' });
    await resetAccount(as(promoted.email), { id: promoted.id, emailVerified: true }, promoted.password, {
      role: 'admin',
      dropTwoFactor: false,
    });
    expect((await named(env.invoiceAdminEmail)).map(({ found }) => found)).toEqual([
      `${made.email} can now manage users and requests`,
      `${promoted.email} can now manage users and requests`,
    ]);
  });

  test('lists the addresses that reach nobody and where to change them', async ({ server }) => {
    const { env } = server.services;
    const warningsFor = async (domain: string) => {
      const at = (name: string) => `${name}@${domain}`;
      const findings = await examine(
        {
          ...env,
          publicUrl: 'https://trasferte.it',
          mailFrom: `Trasferte <${at('no-reply')}>`,
          requestsTo: [at('richieste')],
          invoiceAdminEmail: at('fatture'),
        },
        env.databaseUrl ?? '',
        {
          contactEmail: at('info'),
          privacyEmail: at('privacy'),
          siteUrl: `https://www.${domain}`,
          support: { email: at('supporto') },
        },
      );
      return findings
        .filter(({ found }) => found.includes(domain) && found.includes('nobody'))
        .map(({ subject, advice }) => [subject, advice]);
    };
    const edit = 'edit provider.config.ts and build again';
    expect(await warningsFor('trasvia.example')).toEqual([
      ['INVOICE_ADMIN_EMAIL', `set INVOICE_ADMIN_EMAIL, or ${edit}`],
      ['MAIL_FROM', `set MAIL_FROM, or ${edit}`],
      ['REQUESTS_TO', `set REQUESTS_TO, or ${edit}`],
      ['support.email', edit],
      ['contactEmail', edit],
      ['privacyEmail', edit],
      ['siteUrl', edit],
    ]);
    expect(await warningsFor('trasferte.it')).toEqual([]);
  });

  test('counts connections and gives advice when the embedded PostgreSQL has few left', async ({
    server,
  }) => {
    const env = { ...server.services.env, databaseUrl: null };
    const dataDir = await makeTestFolder();
    const postgres = await startEmbeddedPostgres({ dataDir, maxConnections: 20 });
    const connections: Client[] = [];
    const database = async () =>
      (await examine(env, postgres.ownerUrl)).find(({ subject }) => subject === 'database');
    try {
      // The application holds its lock on one connection; the doctor uses another.
      expect(await database()).toMatchObject({
        state: 'ok',
        found: expect.stringContaining(', 2 of 20 connections in use'),
      });
      for (let count = 0; count < 15; count += 1) {
        const client = new Client({ connectionString: postgres.ownerUrl });
        await client.connect();
        connections.push(client);
      }
      expect(await database()).toMatchObject({
        state: 'warning',
        found: expect.stringContaining(', 17 of 20 connections in use'),
        advice: expect.stringContaining('WORKERS'),
      });
    } finally {
      await Promise.all(connections.map((client) => client.end()));
      await postgres.stop();
      await rm(dataDir, { recursive: true });
    }
  });

  test('reports an unreachable database and one that lacks migrations', async ({ server }) => {
    const { env } = server.services;
    const nobody = await examine(env, 'postgresql://owner:pw@127.0.0.1:9/none');
    expect(states(nobody)).toMatchObject({ database: 'error' });
    const database = await createTestDatabase(inject('testCluster'));
    const owner = new Client({ connectionString: database.databaseUrl });
    await owner.connect();
    await owner.query("delete from schema_migrations where name like '0041%'");
    await owner.end();
    const findings = await examine(env, database.databaseUrl);
    expect(findings.find(({ subject }) => subject === 'migrations')).toMatchObject({
      state: 'error',
      found: expect.stringContaining('0041'),
    });
    await database.drop();
  });

  test('reports an empty database in one line', async ({ server }) => {
    const database = await createTestDatabase(inject('testCluster'));
    const owner = new Client({ connectionString: database.databaseUrl });
    await owner.connect();
    await owner.query('drop table schema_migrations');
    await owner.end();
    const findings = await examine(server.services.env, database.databaseUrl);
    expect(findings.find(({ subject }) => subject === 'migrations')).toEqual({
      subject: 'migrations',
      state: 'error',
      found: 'the database is empty: it contains no installation',
      advice: 'start this release, which creates one, or correct DATABASE_URL',
    });
    await database.drop();
  });
});
