import { rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mailboxes } from '#provider';
import { ConfigurationError, readEnv, resolveAuthSecret } from '#server/env.ts';
import { poolSizes } from '#server/services.ts';
import { makeTestFolder } from '#server/testing/cluster.ts';

const SECRET = 'an-authentication-secret-of-36-chars';
const EXTERNAL = { DATABASE_URL: 'postgresql://owner:pw@db.example/trasvia', AUTH_SECRET: SECRET };

describe('defaults', () => {
  test('an empty environment gives a demo on loopback only', () => {
    expect(readEnv({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      dataDir: join(process.cwd(), 'data'),
      databaseUrl: null,
      filesUrl: null,
      mailUrl: null,
      mailFrom: mailboxes.mailFrom,
      requestsTo: [...mailboxes.requestRecipients],
      invoiceAdminEmail: mailboxes.invoiceAdminEmail,
      authSecret: null,
      rateLimits: true,
      workers: 1,
      metricsPort: null,
      demo: true,
      logLevel: 'info',
    });
  });

  test('an empty variable counts as absent', () => {
    expect(readEnv({ PORT: '', HOST: ' ', DATABASE_URL: '', AUTH_SECRET: '', DEMO: '' })).toEqual(
      readEnv({}),
    );
  });

  test('the public address follows the port', () => {
    expect(readEnv({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  });
});

describe('demo accounts', () => {
  test.each([
    [{}, true],
    [{ HOST: '::1' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ PUBLIC_URL: 'https://trasferte.example' }, false],
    [EXTERNAL, false],
    [{ DEMO: 'off' }, false],
    [{ ...EXTERNAL, DEMO: 'on' }, true],
    [{ HOST: '0.0.0.0', DEMO: 'on' }, true],
  ])('with %o are enabled: %s', (source, expected) => {
    expect(readEnv(source).demo).toBe(expected);
  });
});

describe('processes', () => {
  const onePerProcessor = Math.min(8, availableParallelism());

  test.each([
    [{}, 1],
    [{ WORKERS: 'auto' }, onePerProcessor],
    [{ WORKERS: '3' }, 3],
    [{ HOST: '0.0.0.0' }, onePerProcessor],
    [{ PUBLIC_URL: 'https://trasferte.example' }, onePerProcessor],
    [{ PUBLIC_URL: 'https://trasferte.example', WORKERS: '1' }, 1],
  ])('with %o are as many as %s', (source, expected) => {
    expect(readEnv(source).workers).toBe(expected);
  });

  test('together leave connections of the embedded PostgreSQL to operators', () => {
    for (let workers = 1; workers <= 8; workers += 1) {
      const { app, auth } = poolSizes(workers);
      // Each process takes one more while it starts.
      expect((app + auth + 1) * workers).toBeLessThanOrEqual(80);
    }
  });
});

describe('configured values', () => {
  test('are read and normalised', () => {
    expect(
      readEnv({
        ...EXTERNAL,
        PORT: '443',
        HOST: '0.0.0.0',
        PUBLIC_URL: 'https://Trasferte.example/',
        DATA_DIR: '/srv/trasvia',
        FILES_URL: 's3://bucket?endpoint=http://127.0.0.1:9000&region=eu-south-1',
        MAIL_URL: 'smtps://user:pw@mail.example:465',
        MAIL_FROM: 'Sede <sede@trasferte.example>',
        REQUESTS_TO: 'Uno@trasferte.example, due@trasferte.example',
        INVOICE_ADMIN_EMAIL: 'Fatture@Trasferte.example',
        LOG_LEVEL: 'WARN',
        METRICS_PORT: '9464',
        WORKERS: '4',
      }),
    ).toEqual({
      port: 443,
      host: '0.0.0.0',
      publicUrl: 'https://trasferte.example',
      dataDir: '/srv/trasvia',
      databaseUrl: EXTERNAL.DATABASE_URL,
      filesUrl: 's3://bucket?endpoint=http://127.0.0.1:9000&region=eu-south-1',
      mailUrl: 'smtps://user:pw@mail.example:465',
      mailFrom: 'Sede <sede@trasferte.example>',
      requestsTo: ['Uno@trasferte.example', 'due@trasferte.example'],
      invoiceAdminEmail: 'fatture@trasferte.example',
      authSecret: SECRET,
      rateLimits: true,
      workers: 4,
      metricsPort: 9464,
      demo: false,
      logLevel: 'warn',
    });
  });
});

describe('invalid values', () => {
  test.each([
    ['PORT', { PORT: '0' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '80a' }],
    ['HOST', { HOST: 'http://localhost' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'trasferte.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://trasferte.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://trasferte.example/app' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://user:pw@trasferte.example' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://db.example/trasvia', AUTH_SECRET: SECRET }],
    ['DATABASE_URL', { DATABASE_URL: 'db.example', AUTH_SECRET: SECRET }],
    ['FILES_URL', { FILES_URL: '/srv/files' }],
    ['MAIL_URL', { MAIL_URL: 'mail.example:25' }],
    ['MAIL_FROM', { MAIL_FROM: 'Trasvia' }],
    ['MAIL_FROM', { MAIL_FROM: 'Trasvia\nBcc: x@y.example <a@b.example>' }],
    ['REQUESTS_TO', { REQUESTS_TO: 'uno@trasferte.example,due' }],
    ['INVOICE_ADMIN_EMAIL', { INVOICE_ADMIN_EMAIL: 'fatture' }],
    ['AUTH_SECRET', { DATABASE_URL: EXTERNAL.DATABASE_URL }],
    ['AUTH_SECRET', { AUTH_SECRET: 'x'.repeat(31) }],
    ['RATE_LIMITS', { RATE_LIMITS: 'maybe' }],
    ['RATE_LIMITS', { RATE_LIMITS: 'off', HOST: '0.0.0.0' }],
    ['WORKERS', { WORKERS: '0' }],
    ['WORKERS', { WORKERS: '9' }],
    ['WORKERS', { WORKERS: 'all' }],
    ['DEMO', { DEMO: 'perhaps' }],
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ])('of %s are refused in one line: %o', (variable, source) => {
    expect(() => readEnv(source)).toThrow(ConfigurationError);
    expect(() => readEnv(source)).toThrow(new RegExp(`^${variable} [^\\n]*$`));
  });

  test('are refused without repeating a password', () => {
    expect(() => readEnv({ DATABASE_URL: 'mysql://owner:hunter2@db.example/x' })).toThrow(/^(?!.*hunter2)/);
  });

  test('do not include RATE_LIMITS=off on loopback', () => {
    expect(readEnv({ RATE_LIMITS: 'off', HOST: '127.0.0.2' }).rateLimits).toBe(false);
  });
});

test('the authentication secret is created once and readable only by its owner', async () => {
  const dataDir = await makeTestFolder();
  try {
    const [first, second] = await Promise.all([resolveAuthSecret(dataDir), resolveAuthSecret(dataDir)]);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).toBe(first);
    expect(await resolveAuthSecret(dataDir)).toBe(first);
    expect((await stat(join(dataDir, 'auth-secret'))).mode & 0o777).toBe(0o600);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test.each(['', '\n', '0123456789abcdef\n'])(
  'a damaged authentication secret is refused: %j',
  async (text) => {
    const dataDir = await makeTestFolder();
    try {
      await writeFile(join(dataDir, 'auth-secret'), text);
      await expect(resolveAuthSecret(dataDir)).rejects.toThrow(/auth-secret is damaged/);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  },
);
