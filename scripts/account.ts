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
import { readAs, SYSTEM } from '#server/db/scope.ts';
import { type Env, readEnv, resolveAuthSecret } from '#server/env.ts';
import { AppError } from '#server/errors.ts';
import { findAccountByEmail } from '#server/features/accounts/queries.ts';
import { makeAccount, resetAccount } from '#server/operations/operator.ts';
import { type AccountServices, openAccounts } from '#server/services.ts';
import { StartError } from '#server/start-error.ts';
import { interrupted, runCommand, withDatabase } from './operator-database.ts';

const USAGE = `npm run account -- <e-mail> [options]       create an account, or reset the password of an existing one
npm run account -- --invoice-admin [options]  the same for the invoice administrator (INVOICE_ADMIN_EMAIL)

  --role user|admin      role of the account; "user" by default for a new one
  --name "Full Name"     for a new account
  --company "Company"    for a new account
  --generate             print a random password instead of asking for one
  --drop-two-factor      also switch off the second factor, for someone who lost phone and recovery codes`;

await runCommand(async () => {
  const { values: options, positionals } = readArguments();
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const env = readEnv(process.env);
  const email = (options['invoice-admin'] ? env.invoiceAdminEmail : positionals[0])?.toLowerCase();
  if (!email || positionals.length > (options['invoice-admin'] ? 0 : 1)) throw new StartError(USAGE);
  if (options.role !== undefined && options.role !== 'user' && options.role !== 'admin') {
    throw new StartError('--role must be "user" or "admin"');
  }
  const role = email === env.invoiceAdminEmail ? 'admin' : options.role;

  await withAccounts(env, async (accounts) => {
    const account = await findAccountByEmail(readAs(accounts.pool, SYSTEM), email);
    const password = options.generate ? randomBytes(16).toString('base64url') : await askPassword();
    if (account) {
      await resetAccount(accounts, account, password, { role, dropTwoFactor: options['drop-two-factor'] });
    } else {
      const checked = registrationSchema.safeParse({
        fullName: options.name ?? email.split('@', 1)[0],
        email,
        password,
        companyName: options.company ?? null,
      });
      if (!checked.success) throw new StartError(checked.error.issues[0]?.message ?? USAGE);
      await makeAccount(accounts, checked.data, role ?? 'user');
    }
    console.log(account ? `New password for ${email} (${account.username})` : `Account created for ${email}`);
    if (options.generate) console.log(`Password: ${password}`);
  });
});

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
    throw new StartError(error instanceof Error ? `${error.message}\n\n${USAGE}` : USAGE);
  }
}

async function withAccounts(env: Env, work: (accounts: AccountServices) => Promise<void>): Promise<void> {
  await withDatabase(env, async (databaseUrl) => {
    const authSecret = env.authSecret ?? (await resolveAuthSecret(env.dataDir));
    const accounts = openAccounts({ ...env, databaseUrl, authSecret });
    try {
      await work(accounts);
    } catch (error) {
      throw error instanceof AppError ? new StartError(error.message) : error;
    } finally {
      await accounts.close();
    }
  });
}

async function askPassword(): Promise<string> {
  const password = process.stdin.isTTY
    ? await askUnseen('Password: ')
    : (await text(process.stdin)).replace(/\r?\n$/, '');
  const checked = newPassword.safeParse(password);
  if (!checked.success) throw new StartError(checked.error.issues[0]?.message ?? USAGE);
  return password;
}

async function askUnseen(question: string): Promise<string> {
  process.stdout.write(question);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silence, terminal: true });
  // While it reads keys, Ctrl-C is one of them.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await terminal.question('', { signal: interrupted });
  } catch (error) {
    if (interrupted.aborted) throw error;
    // Ctrl-D has closed the input.
    throw new StartError('no password was given: nothing is changed');
  } finally {
    terminal.close();
    process.stdout.write('\n');
  }
}
