import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { mailboxes } from '#provider';
import { keptSecret, SECRET_LENGTH } from '#server/data-dir.ts';
import { StartError } from '#server/start-error.ts';

/** A missing or invalid variable; the message names it. */
export class ConfigurationError extends StartError {
  override name = 'ConfigurationError';

  constructor(variable: string, problem: string) {
    super(`${variable} ${problem.replaceAll(/[\r\n]+/g, ' ')}`);
  }
}

/** With more processes, too few database connections would remain for each. */
const MAX_WORKERS = 8;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The configuration of one process; `docs/operations.md` explains each variable to operators. */
export type Env = {
  /** Address on which the server listens. */
  port: number;
  host: string;
  /** Origin that users see, without a trailing slash: for e-mails, cookies and origin checks. */
  publicUrl: string;
  /** Absolute path of the folder that holds everything the embedded mode stores. */
  dataDir: string;
  /** `null`: the embedded PostgreSQL in `DATA_DIR/postgres`. */
  databaseUrl: string | null;
  /** `null`: files are kept in `DATA_DIR/files`. */
  filesUrl: string | null;
  /** `null`: each message becomes an `.eml` file in `DATA_DIR/mail`. */
  mailUrl: string | null;
  /** Sender, `address` or `Name <address>`. */
  mailFrom: string;
  /** Recipients of contact and trip requests (spec §7), exactly as configured. */
  requestsTo: string[];
  /** Reserved address of the invoice administrator (spec §6), in lower case. */
  invoiceAdminEmail: string;
  /** `null` only in embedded mode: {@link resolveAuthSecret} then generates and stores one. */
  authSecret: string | null;
  rateLimits: boolean;
  /** Number of serving processes; 1 means that the started process serves itself. */
  workers: number;
  /** Port of `/metrics`, on the loopback interface only; `null`: no metrics. */
  metricsPort: number | null;
  /** Whether the demo accounts exist. */
  demo: boolean;
  logLevel: (typeof LOG_LEVELS)[number];
};

/** The configuration of a serving process: its database is migrated and its secret known. */
export type ServingEnv = Env & {
  /** Connection URL of the database's owner. */
  databaseUrl: string;
  authSecret: string;
};

/**
 * Reads and validates every variable of the server; no other code reads the environment. An empty variable counts as
 * absent.
 *
 * @throws {ConfigurationError} for the first variable that is missing or invalid.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const read = (variable: string) => source[variable]?.trim() || undefined;

  const port = readPort('PORT', read('PORT') ?? '3000');
  const host = readHost('HOST', read('HOST') ?? '127.0.0.1');
  const publicUrl = readOrigin('PUBLIC_URL', read('PUBLIC_URL') ?? `http://localhost:${port}`);
  const databaseUrl = readUrl('DATABASE_URL', read('DATABASE_URL'), ['postgres:', 'postgresql:']);
  const filesUrl = readUrl('FILES_URL', read('FILES_URL'), ['s3:']);
  const mailUrl = readUrl('MAIL_URL', read('MAIL_URL'), ['smtp:', 'smtps:', 'emailjs:']);
  const listensOnLoopback = isLoopback(host);
  const isLocal = listensOnLoopback && isLoopback(new URL(publicUrl).hostname);

  const rateLimits = readSwitch('RATE_LIMITS', read('RATE_LIMITS')) ?? true;
  if (!rateLimits && !listensOnLoopback) {
    throw new ConfigurationError(
      'RATE_LIMITS',
      `can be "off" only while HOST is a loopback address, not ${host}`,
    );
  }

  const metricsPort = read('METRICS_PORT');
  const authSecret = read('AUTH_SECRET') ?? null;
  if (authSecret === null && databaseUrl !== null) {
    throw new ConfigurationError(
      'AUTH_SECRET',
      `is required with DATABASE_URL: at least ${SECRET_LENGTH} random characters`,
    );
  }
  if (authSecret !== null && authSecret.length < SECRET_LENGTH) {
    throw new ConfigurationError('AUTH_SECRET', `must have at least ${SECRET_LENGTH} characters`);
  }

  return {
    port,
    host,
    publicUrl,
    dataDir: resolve(read('DATA_DIR') ?? 'data'),
    databaseUrl,
    filesUrl,
    mailUrl,
    mailFrom: readSender('MAIL_FROM', read('MAIL_FROM') ?? mailboxes.mailFrom),
    requestsTo: readAddresses('REQUESTS_TO', read('REQUESTS_TO') ?? mailboxes.requestRecipients.join(',')),
    invoiceAdminEmail: readAddress(
      'INVOICE_ADMIN_EMAIL',
      read('INVOICE_ADMIN_EMAIL') ?? mailboxes.invoiceAdminEmail,
    ).toLowerCase(),
    authSecret,
    rateLimits,
    workers: readWorkers(read('WORKERS') ?? (isLocal ? '1' : 'auto')),
    metricsPort: metricsPort === undefined ? null : readPort('METRICS_PORT', metricsPort),
    // The passwords of the demo accounts are public: by default they exist only where nobody else can connect.
    demo: readSwitch('DEMO', read('DEMO')) ?? (databaseUrl === null && isLocal),
    logLevel: readChoice('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', LOG_LEVELS),
  };
}

/** The secret of an installation without `AUTH_SECRET`: generated once and stored in `DATA_DIR/auth-secret`. */
export function resolveAuthSecret(dataDir: string): Promise<string> {
  return keptSecret(dataDir, 'auth-secret');
}

/** Whether a host name or address can be reached only from this machine. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host === '::1' ||
    host === '[::1]' ||
    (isIP(host) === 4 && host.startsWith('127.'))
  );
}

function readPort(variable: string, value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (port < 1 || port > 65_535)
    throw new ConfigurationError(variable, `must be a number from 1 to 65535, not "${value}"`);
  return port;
}

/** `auto`: one per processor available to this process. */
function readWorkers(value: string): number {
  if (value.toLowerCase() === 'auto') return Math.min(MAX_WORKERS, availableParallelism());
  const workers = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (workers < 1 || workers > MAX_WORKERS)
    throw new ConfigurationError(
      'WORKERS',
      `must be "auto" or a number from 1 to ${MAX_WORKERS}, not "${value}"`,
    );
  return workers;
}

function readHost(variable: string, value: string): string {
  const isName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value);
  if (!isName && isIP(value) === 0) {
    throw new ConfigurationError(variable, `must be a host name or an IP address, not "${value}"`);
  }
  return value;
}

function readOrigin(variable: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) {
    throw new ConfigurationError(
      variable,
      `must be an address like https://www.example.com, without a path, not "${value}"`,
    );
  }
  return url.origin;
}

/** The message omits the value, because such a URL often contains a password. */
function readUrl(variable: string, value: string | undefined, protocols: string[]): string | null {
  if (value === undefined) return null;
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigurationError(variable, `must be an address that starts with ${protocols.join(' or ')}`);
  }
  return value;
}

function readSwitch(variable: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (/^(on|true|yes|1)$/i.test(value)) return true;
  if (/^(off|false|no|0)$/i.test(value)) return false;
  throw new ConfigurationError(variable, `must be "on" or "off", not "${value}"`);
}

function readChoice<const T extends string>(variable: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === value.toLowerCase());
  if (choice === undefined)
    throw new ConfigurationError(variable, `must be one of ${choices.join(', ')}, not "${value}"`);
  return choice;
}

function readAddress(variable: string, value: string): string {
  if (!/^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/.test(value)) {
    throw new ConfigurationError(variable, `must be an e-mail address, not "${value}"`);
  }
  return value;
}

function readAddresses(variable: string, value: string): string[] {
  return value.split(',').map((address) => readAddress(variable, address.trim()));
}

function readSender(variable: string, value: string): string {
  const named = /^[^<>\r\n]+<([^<>]+)>$/.exec(value);
  readAddress(variable, named?.[1] ?? value);
  return value;
}
