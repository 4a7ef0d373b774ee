/**
 * `npm run account -- <e-mail>`: creates an account, or sets a new password of an existing one, also while the application
 * runs. Without `--generate` it asks for the password, or reads it from standard input if that is not a terminal.
 */
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { newPassword, registrationSchema } from '#contract/accounts.ts';
import { makeAccount, resetAccount } from '#server/auth/operator.ts';
import { readAs, SYSTEM } from '#server/db/scope.ts';
import { type Env, readEnv, resolveAuthSecret } from '#server/env.ts';
import { AppError } from '#server/errors.ts';
import { findAccountByEmail } from '#server/features/accounts/queries.ts';
import { type AccountStore, openAccounts } from '#server/services.ts';
import { StartError } from '#server/start-error.ts';
import { withDatabase } from './operator-database.ts';

const USAGE = `npm run account -- <e-mail> [options]       create an account, or reset the password of an existing one
npm run account -- --invoice-admin [options]  the same for the invoice administrator (INVOICE_ADMIN_EMAIL)

  --role user|admin      role of the account; "user" by default for a new one
  --name "Full Name"     for a new account
  --company "Company"    for a new account
  --generate             print a random password instead of asking for one
  --drop-two-factor      also switch off the second factor, for someone who lost phone and recovery codes`;

/** Wrong arguments; the message says how to use the command. */
class UsageError extends Error {}

const { values: options, positionals } = readArguments();

try {
  await run();
} catch (error) {
  process.exitCode = 1;
  const expected = error instanceof StartError || error instanceof AppError || error instanceof UsageError;
  console.error(expected ? error.message : error);
}

async function run(): Promise<void> {
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const env = readEnv(process.env);
  const email = (options['invoice-admin'] ? env.invoiceAdminEmail : positionals[0])?.toLowerCase();
  if (!email || positionals.length > (options['invoice-admin'] ? 0 : 1)) throw new UsageError(USAGE);
  if (options.role !== undefined && options.role !== 'user' && options.role !== 'admin') {
    throw new UsageError('--role must be "user" or "admin"');
  }
  const role = email === env.invoiceAdminEmail ? 'admin' : options.role;

  await withAccounts(env, async (store) => {
    const account = await findAccountByEmail(readAs(store.pool, SYSTEM), email);
    const password = await obtainPassword();
    if (account) {
      await resetAccount(store, account, password, { role, dropTwoFactor: options['drop-two-factor'] });
    } else {
      const checked = registrationSchema.safeParse({
        fullName: options.name ?? email.split('@', 1)[0],
        email,
        password,
        companyName: options.company ?? null,
      });
      if (!checked.success) throw new UsageError(checked.error.issues[0]?.message ?? USAGE);
      await makeAccount(store, checked.data, role ?? 'user');
    }
    console.log(account ? `New password for ${email} (${account.username})` : `Account created for ${email}`);
    if (options.generate) console.log(`Password: ${password}`);
  });
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        'invoice-admin': { type: 'boolean', default: false },
        'drop-two-factor': { type: 'boolean', default: false },
        generate: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        role: { type: 'string' },
        name: { type: 'string' },
        company: { type: 'string' },
      },
    });
  } catch (error) {
    console.error(error instanceof Error ? `${error.message}\n\n${USAGE}` : USAGE);
    process.exit(1);
  }
}

async function withAccounts(env: Env, work: (store: AccountStore) => Promise<void>): Promise<void> {
  await withDatabase(env, async (databaseUrl) => {
    const authSecret = env.authSecret ?? (await resolveAuthSecret(env.dataDir));
    const store = openAccounts({ ...env, databaseUrl, authSecret });
    try {
      await work(store);
    } finally {
      await store.close();
    }
  });
}

async function obtainPassword(): Promise<string> {
  if (options.generate) return randomBytes(16).toString('base64url');
  const password = process.stdin.isTTY ? await askUnseen('Password: ') : (await text(process.stdin)).trim();
  const checked = newPassword.safeParse(password);
  if (!checked.success) throw new UsageError(checked.error.issues[0]?.message ?? USAGE);
  return password;
}

async function askUnseen(question: string): Promise<string> {
  process.stdout.write(question);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silence, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stdout.write('\n');
  }
}
