import { statfs } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { verifyPassword } from 'better-auth/crypto';
import { createTransport } from 'nodemailer';
import { Client } from 'pg';
import { provider as builtIn } from '#provider';
import { errorCode } from '#server/data-dir.ts';
import { isHalfRestored, migrationsMissingFrom, wasMigrated } from '#server/db/migrate.ts';
import { sessionAt } from '#server/db/pool.ts';
import { demoAccounts } from '#server/demo/accounts.ts';
import { ConfigurationError, type Env, isLoopback } from '#server/env.ts';
import { ACCOUNT_MAIL } from '#server/mail/account-kinds.ts';
import { createTransportFor } from '#server/mail/transport.ts';
import { openFileKeeping } from '#server/services.ts';
import { compareFiles, GRACE_MS } from './stored-files.ts';

/** The result of one check. */
export type Finding = {
  subject: string;
  state: 'ok' | 'warning' | 'error';
  /** The finding in a few words. */
  found: string;
  /** What to do, if anything. */
  advice?: string;
};

/** The provider's contact data, as built in. */
type Provider = { contactEmail: string; privacyEmail: string; siteUrl: string; support: { email: string } };

/** Clock difference that makes one-hour links and sessions unreliable, in milliseconds. */
const CLOCK_DIFFERENCE_MS = 5_000;
/** Space that a day's uploads may need, in bytes. */
const FREE_BYTES = 1_000_000_000;

/**
 * Checks an installation without changing anything: configuration, connections, migrations, row-level security, totals,
 * files, mail, disk and clock.
 *
 * @param databaseUrl connection URL of the owner
 * @param provider that of `provider.config.ts`
 */
export async function examine(
  env: Env,
  databaseUrl: string,
  provider: Provider = builtIn,
): Promise<Finding[]> {
  const client = new Client({ ...sessionAt(databaseUrl), connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const advice = 'start PostgreSQL, or correct DATABASE_URL';
    return [
      ...configuration(env, provider),
      { subject: 'database', state: 'error', found: `does not answer (${errorCode(error)})`, advice },
    ];
  }
  try {
    const schema = await migrations(client);
    return [
      ...configuration(env, provider),
      await server(client, env),
      schema,
      ...(schema.state === 'error' ? [] : await records(client, env, databaseUrl)),
      await clock(client),
      await mail(env),
      await disk(env),
    ];
  } finally {
    await client.end();
  }
}

function isLocal(env: Env): boolean {
  return isLoopback(new URL(env.publicUrl).hostname);
}

function configuration(env: Env, provider: Provider): Finding[] {
  const findings: Finding[] = [];
  const { protocol } = new URL(env.publicUrl);
  const local = isLocal(env);
  findings.push(
    local || protocol === 'https:'
      ? { subject: 'PUBLIC_URL', state: 'ok', found: env.publicUrl }
      : {
          subject: 'PUBLIC_URL',
          state: 'error',
          found: `${env.publicUrl} is not https: cookies and passwords are sent unencrypted`,
          advice: 'put a reverse proxy with a certificate in front and set PUBLIC_URL to its https address',
        },
  );
  if (!local && env.demo) {
    findings.push({
      subject: 'DEMO',
      state: 'error',
      found: 'accounts with public passwords are created where others can reach them',
      advice: 'set DEMO=off: the next start removes these passwords',
    });
  }
  if (!local && env.mailUrl === null) {
    findings.push({
      subject: 'MAIL_URL',
      state: 'warning',
      found: 'messages are written to DATA_DIR/mail and reach nobody',
      advice: 'set MAIL_URL to your mail server',
    });
  }
  if (!local) findings.push(...unreachable(env, provider));
  findings.push(processes(env.workers, local));
  return findings;
}

/** Domains that nobody can own (RFC 2606). */
const RESERVED_DOMAIN = /[@.]example(\.(com|net|org))?>?$/i;

/** Configured addresses in reserved domains, which reach nobody. */
function unreachable({ invoiceAdminEmail, mailFrom, requestsTo }: Env, provider: Provider): Finding[] {
  const edit = 'edit provider.config.ts and build again';
  const addresses = [
    ...[
      ['INVOICE_ADMIN_EMAIL', invoiceAdminEmail],
      ['MAIL_FROM', mailFrom],
      ...requestsTo.map((address) => ['REQUESTS_TO', address]),
    ].map(([subject, address]) => ({ subject, address, advice: `set ${subject}, or ${edit}` })),
    ...[
      ['support.email', provider.support.email],
      ['contactEmail', provider.contactEmail],
      ['privacyEmail', provider.privacyEmail],
      ['siteUrl', new URL(provider.siteUrl).hostname],
    ].map(([subject, address]) => ({ subject, address, advice: edit })),
  ];
  return addresses.flatMap(({ subject = '', address = '', advice }) =>
    RESERVED_DOMAIN.test(address)
      ? [{ subject, state: 'warning', found: `${address} reaches nobody`, advice }]
      : [],
  );
}

/** Checks for demo accounts that still have their public password. */
async function publicPasswords(client: Client, env: Env): Promise<Finding> {
  const demo = demoAccounts(env.invoiceAdminEmail);
  const { rows } = await client.query<{ username: string; hash: string }>(
    `select username, password as hash from profiles join accounts on accounts.user_id = profiles.id
     where provider_id = 'credential' and password is not null and username = any($1)`,
    [demo.map(({ username }) => username)],
  );
  const open: string[] = [];
  for (const { username, hash } of rows) {
    const password = demo.find((account) => account.username === username)?.password ?? '';
    if (await verifyPassword({ hash, password })) open.push(username);
  }
  const subject = 'demo accounts';
  if (open.length === 0) return { subject, state: 'ok', found: 'none has its public password' };
  const found = `public passwords work for ${open.join(', ')}`;
  return isLocal(env)
    ? { subject, state: 'ok', found: `${found}, only on this machine` }
    : {
        subject,
        state: 'error',
        found,
        advice: 'set DEMO=off and restart, which removes these passwords',
      };
}

function processes(workers: number, local: boolean): Finding {
  const processors = availableParallelism();
  const found = `${workers} for ${processors} processors`;
  const subject = 'WORKERS';
  if (workers > processors) {
    return { subject, state: 'warning', found, advice: 'set WORKERS=auto: more workers only use memory' };
  }
  return workers === 1 && processors > 1 && !local
    ? {
        subject,
        state: 'warning',
        found,
        advice: 'set WORKERS=auto, unless this machine also serves other purposes',
      }
    : { subject, state: 'ok', found };
}

async function server(client: Client, env: Env): Promise<Finding> {
  // An owner sees no more than this about other roles' sessions. PostgreSQL's own processes lack a database or a role.
  const { rows } = await client.query<{ version: string; superuser: boolean; used: number; most: number }>(
    `select current_setting('server_version') as version, rolsuper as superuser,
       (select count(*)::int from pg_stat_activity where datid is not null and usesysid is not null) as used, current_setting('max_connections')::int as most
     from pg_roles where rolname = current_user`,
  );
  const { version = '', superuser = false, used = 0, most = 0 } = rows[0] ?? {};
  const found = `PostgreSQL ${version}, ${used} of ${most} connections in use`;
  if (superuser) {
    return {
      subject: 'database',
      state: 'warning',
      found: `${found}; the role is a superuser`,
      advice: 'give the product its own role, as shown in docs/operations.md',
    };
  }
  return used > most * 0.8
    ? {
        subject: 'database',
        state: 'warning',
        found,
        advice: env.databaseUrl
          ? 'raise max_connections: docs/operations.md says how many a server needs'
          : 'set a lower WORKERS, or DATABASE_URL to a PostgreSQL whose max_connections you can raise: docs/operations.md says how many a server needs',
      }
    : { subject: 'database', state: 'ok', found };
}

async function migrations(client: Client): Promise<Finding> {
  if (!(await wasMigrated(client))) {
    return {
      subject: 'migrations',
      state: 'error',
      found: 'the database is empty: it contains no installation',
      advice: 'start this release, which creates one, or correct DATABASE_URL',
    };
  }
  if (await isHalfRestored(client)) {
    return {
      subject: 'migrations',
      state: 'error',
      found: 'a restore of this database was interrupted',
      advice: 'repeat it with --replace',
    };
  }
  const missing = await migrationsMissingFrom(client);
  return missing.length === 0
    ? { subject: 'migrations', state: 'ok', found: 'all applied' }
    : {
        subject: 'migrations',
        state: 'error',
        found: `not applied: ${missing.join(', ')}`,
        advice: 'take a backup, then start this release: it migrates before it serves',
      };
}

async function count(client: Client, sql: string, values: unknown[] = []): Promise<number> {
  return (await client.query<{ count: number }>(sql, values)).rows[0]?.count ?? 0;
}

/** An error unless `wrong` is 0. */
function expectNone(
  wrong: number,
  ok: Pick<Finding, 'subject' | 'found'>,
  found: string,
  advice: string,
): Finding {
  return wrong === 0 ? { ...ok, state: 'ok' } : { ...ok, state: 'error', found, advice };
}

async function rowLevelSecurity(client: Client): Promise<Finding> {
  const open = await count(
    client,
    `select count(*)::int from pg_class t
     where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and not t.relrowsecurity
       and has_table_privilege('trasvia_app', t.oid, 'select')
       and exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'user_id')`,
  );
  const bypass = await count(
    client,
    `select count(*)::int from pg_roles
     where rolname in ('trasvia_app', 'trasvia_auth', 'trasvia_app_' || current_database(),
         'trasvia_auth_' || current_database()) and (rolsuper or rolbypassrls)`,
  );
  return expectNone(
    open + bypass,
    { subject: 'row-level security', found: 'enabled for every table with customer data' },
    `disabled for ${open} tables, bypassed by ${bypass} roles`,
    'run the migrations of this release as the owner; revoke superuser and BYPASSRLS from trasvia_app and trasvia_auth',
  );
}

async function storedTotals(client: Client): Promise<Finding> {
  const different = await count(
    client,
    'select (select count(*) from project_total_mismatches)::int + (select count(*) from total_mismatches)::int as count',
  );
  return expectNone(
    different,
    { subject: 'stored totals', found: 'equal the records' },
    `${different} differ from the records`,
    'query project_total_mismatches and total_mismatches, and report it to the developers as a bug',
  );
}

async function failedMail(client: Client): Promise<Finding> {
  // Account messages are left out: a link or code is requested again, not resent.
  const givenUp = await count(
    client,
    "select count(*)::int from mail_messages where state = 'failed' and not starts_with(kind, $1)",
    [ACCOUNT_MAIL],
  );
  return expectNone(
    givenUp,
    { subject: 'failed mail', found: 'none' },
    `${givenUp} messages`,
    'an administrator sees the reasons and resends them under Gestione Richieste (N email non consegnate)',
  );
}

async function queuedMail(client: Client): Promise<Finding> {
  const waiting = await count(
    client,
    "select count(*)::int from mail_messages where state = 'queued' and created_at < now() - interval '15 minutes'",
  );
  return expectNone(
    waiting,
    { subject: 'queued mail', found: 'none for longer than 15 minutes' },
    `${waiting} messages for longer than 15 minutes`,
    'check that the application runs and the server of MAIL_URL answers',
  );
}

async function invoiceAdministrator(client: Client, { invoiceAdminEmail }: Env): Promise<Finding> {
  const office = await count(
    client,
    "select count(*)::int from profiles where email = $1 and role = 'admin' and deleted_at is null",
    [invoiceAdminEmail],
  );
  return office > 0
    ? { subject: 'invoice administrator', state: 'ok', found: invoiceAdminEmail }
    : {
        subject: 'invoice administrator',
        state: 'warning',
        found: `no administrator has the address ${invoiceAdminEmail}`,
        advice: 'npm run account -- --invoice-admin',
      };
}

/** The operator made them invoice administrator, or they changed invoices of other accounts, as nobody else can. */
async function formerInvoiceAdministrators(client: Client, { invoiceAdminEmail }: Env): Promise<Finding[]> {
  const { rows } = await client.query<{ email: string }>(
    `select email from profiles
     where role = 'admin' and deleted_at is null and email <> $1
       and (id in (select actor_id from invoice_events where actor_id <> user_id)
         or id in (select subject_id from audit_events where detail @> '{"invoiceAdmin": true}'))
     order by email`,
    [invoiceAdminEmail],
  );
  return rows.map(({ email }) => ({
    subject: 'former invoice administrator',
    state: 'warning',
    found: `${email} can now manage users and requests`,
    advice: `npm run account -- ${email} --role user, unless they should be an administrator`,
  }));
}

/** What only a migrated database can tell. */
async function records(client: Client, env: Env, databaseUrl: string): Promise<Finding[]> {
  return [
    await rowLevelSecurity(client),
    await storedTotals(client),
    await failedMail(client),
    await queuedMail(client),
    await invoiceAdministrator(client, env),
    ...(await formerInvoiceAdministrators(client, env)),
    await publicPasswords(client, env),
    ...(await fileFindings(env, databaseUrl)),
  ];
}

async function fileFindings(env: Env, databaseUrl: string): Promise<Finding[]> {
  const store = openFileKeeping({ ...env, logLevel: 'silent', databaseUrl });
  try {
    await store.files.ready();
    const { orphans, missing } = await compareFiles(store, new Date(Date.now() - GRACE_MS));
    const advice = 'npm run files:reconcile lists them, and with -- --remove removes them';
    return [
      missing.length > 0
        ? { subject: 'files', state: 'error', found: `${missing.length} invoices lack their file`, advice }
        : orphans.length > 0
          ? { subject: 'files', state: 'warning', found: `${orphans.length} files have no record`, advice }
          : { subject: 'files', state: 'ok', found: 'the store answers and matches the records' },
    ];
  } catch (error) {
    return [
      {
        subject: 'files',
        state: 'error',
        found: `the store does not answer (${error instanceof Error ? error.message : errorCode(error)})`,
        advice: env.filesUrl
          ? 'check FILES_URL, the AWS variables, and that the bucket exists'
          : 'make DATA_DIR/files writable for this user',
      },
    ];
  } finally {
    await store.close();
  }
}

async function clock(client: Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  const halfway = (before + Date.now()) / 2;
  const difference = Math.round((rows[0]?.now.getTime() ?? halfway) - halfway);
  return Math.abs(difference) <= CLOCK_DIFFERENCE_MS
    ? { subject: 'clock', state: 'ok', found: `${difference} ms from the database clock` }
    : {
        subject: 'clock',
        state: 'error',
        found: `${difference} ms from the database clock`,
        advice: 'synchronise both machines with a time server (systemd-timesyncd or chrony)',
      };
}

async function mail(env: Env): Promise<Finding> {
  try {
    // What the start refuses: nodemailer ignores, for example, a parameter that it does not know.
    createTransportFor(env.mailUrl, join(env.dataDir, 'mail'), env.mailFrom).close();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const advice = 'correct MAIL_URL: the product does not start with it';
    return { subject: 'mail', state: 'error', found: error.message, advice };
  }
  if (!env.mailUrl?.startsWith('smtp')) {
    return {
      subject: 'mail',
      state: 'ok',
      found: env.mailUrl ? 'sent through an endpoint' : 'written to files',
    };
  }
  const transport = createTransport({
    url: env.mailUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 10_000,
  });
  try {
    await transport.verify();
    return { subject: 'mail', state: 'ok', found: 'the mail server accepts connection and login' };
  } catch (error) {
    return {
      subject: 'mail',
      state: 'error',
      found: `the mail server refuses connection or login (${errorCode(error)})`,
      advice:
        'check host, port, user and password in MAIL_URL; meanwhile messages stay in the queue for four days',
    };
  } finally {
    transport.close();
  }
}

async function disk(env: Env): Promise<Finding> {
  const { bavail, bsize } = await statfs(env.dataDir).catch(() => ({ bavail: 0, bsize: 1 }));
  const free = bavail * bsize;
  const found = `${(free / 1e9).toFixed(1)} GB free for DATA_DIR`;
  return free >= FREE_BYTES
    ? { subject: 'disk', state: 'ok', found }
    : {
        subject: 'disk',
        state: 'error',
        found,
        advice: 'free space: a full disk stops writes, but loses no data',
      };
}
