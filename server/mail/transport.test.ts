import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { SMTPServerOptions } from 'smtp-server';
import { describe, expect, test } from 'vitest';
import { CONCURRENCY } from '#server/jobs/boss.ts';
import { startSmtpServer } from '#server/testing/smtp-server.ts';
import type { MailMessage } from './message.ts';
import { createTransportFor } from './transport.ts';

const message: MailMessage = {
  messageId: '1',
  date: new Date('2027-03-01T08:00:00Z'),
  recipients: ['uno@provider.example'],
  pendingRecipients: ['uno@provider.example'],
  fromName: 'Ponti & Figli S.r.l.',
  replyTo: 'capo.cantiere@example.com',
  subject: 'Città',
  text: 'Perché no\n',
  html: null,
};

const credentials = { username: 'posta@provider.example', password: 's3greta:/@' };

/** Runs `use` with a mail server that has one account and records what it sees. */
async function withMailServer(
  options: SMTPServerOptions,
  use: (port: number, seen: { secure: boolean[]; users: unknown[]; connections: number }) => Promise<void>,
): Promise<void> {
  const seen = { secure: [] as boolean[], users: [] as unknown[], connections: 0 };
  const { port, stop } = await startSmtpServer({
    ...options,
    onConnect(_session, done) {
      seen.connections += 1;
      done();
    },
    onAuth({ username, password }, _session, done) {
      const known = username === credentials.username && password === credentials.password;
      if (known) done(null, { user: username });
      else done(new Error('Invalid username or password'));
    },
    async onData(stream, session, done) {
      await buffer(stream);
      seen.secure.push(session.secure);
      seen.users.push(session.user);
      done();
    },
  });
  try {
    await use(port, seen);
  } finally {
    await stop();
  }
}

function urlOf(scheme: 'smtp' | 'smtps', port: number, password = credentials.password, query = ''): string {
  const login = `${encodeURIComponent(credentials.username)}:${encodeURIComponent(password)}`;
  return `${scheme}://${login}@127.0.0.1:${port}${query}`;
}

async function send(url: string, ...messages: MailMessage[]): Promise<(readonly string[])[]> {
  const transport = createTransportFor(url, '', 'Trasvia <richieste@trasvia.example>');
  try {
    return await Promise.all(messages.map((each) => transport.send(each)));
  } finally {
    transport.close();
  }
}

const trusting = '?tls.rejectUnauthorized=false';

test.for([
  'emailjs:api.host/send?service=a&template=b&user=c',
  'emailjs:https://host/send?service=a',
  'emailjs:ftp://host/send?service=a&template=b&user=c',
])('an invalid send endpoint is refused at the start: %s', (url) => {
  expect(() => createTransportFor(url, '', '')).toThrow(/^MAIL_URL must be emailjs:/);
});

test.for([
  ['smtp://', 'MAIL_URL must name a host: smtp://user:password@host:587'],
  ['smtps:mail.example', 'MAIL_URL must name a host: smtp://user:password@host:587'],
  ['smtp://mail.example:587?requireTls=true', 'MAIL_URL has an unknown parameter "requireTls"'],
] as const)(
  'an SMTP address that would not do what it says is refused at the start: %s',
  ([url, message]) => {
    expect(() => createTransportFor(url, '', '')).toThrow(message);
  },
);

test.for(['1', '<1@trasvia.example>'])(
  'the Message-ID of %s has the domain of the configured sender',
  async (messageId, { onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'trasvia_mail_'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const from = 'Trasferte <no-reply@trasferte.example>';
    await createTransportFor(null, folder, from).send({ ...message, messageId });
    expect(await readFile(join(folder, '1.eml'), 'utf8')).toMatch(/^Message-ID: <1@trasferte\.example>\r$/m);
  },
);

test('a send endpoint that redirects elsewhere has not sent the message', async () => {
  const asked: (string | undefined)[] = [];
  const endpoint = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(request.url === '/send' ? 307 : 200, { Location: '/elsewhere' }).end();
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const { port } = endpoint.address() as AddressInfo;
  await expect(
    send(`emailjs:http://127.0.0.1:${port}/send?service=a&template=b&user=c`, message),
  ).rejects.toThrow();
  expect(asked).toEqual(['/send']);
  endpoint.closeAllConnections();
  endpoint.close();
});

describe('mail over SMTP', () => {
  test.for([
    ['smtps', 'from the first byte', { secure: true }],
    ['smtp', 'as soon as the server offers it', {}],
  ] as const)('with %s is encrypted %s and authenticated', async ([scheme, , options]) => {
    await withMailServer(options, async (port, seen) => {
      await send(urlOf(scheme, port, credentials.password, trusting), message);
      expect(seen).toMatchObject({ secure: [true], users: [credentials.username] });
    });
  });

  test('is not sent with a wrong password, nor to a server with an untrusted certificate', async () => {
    await withMailServer({ secure: true }, async (port, seen) => {
      await expect(send(urlOf('smtps', port, 'altra', trusting), message)).rejects.toThrow(
        'Invalid username or password',
      );
      await expect(send(urlOf('smtps', port), message)).rejects.toThrow('certificate');
      expect(seen.secure).toEqual([]);
    });
  });

  test('is not sent unencrypted if encryption is required', async () => {
    await withMailServer({ disabledCommands: ['STARTTLS'] }, async (port, seen) => {
      const required = urlOf('smtp', port, credentials.password, '?requireTLS=true');
      await expect(send(required, message)).rejects.toThrow(/STARTTLS/i);
      expect(seen.secure).toEqual([]);
    });
  });

  test.for([
    ['capitals', 'Due@Provider.Example', 'Due@provider.example'],
    ['accents', 'due@Caffè.example', 'due@caffè.example'],
    ['accents on both sides', 'perché@Caffè.example', 'perché@caffè.example'],
    ['two dots in a row', 'due..tre@provider.example', '"due..tre"@provider.example'],
  ] as const)('reports a refused recipient with %s as it was given', async ([kind, given, named]) => {
    const refusing: SMTPServerOptions = {
      disabledCommands: ['STARTTLS'],
      onRcptTo({ address }, _session, done) {
        done(address === named ? Object.assign(new Error('Mailbox full'), { responseCode: 452 }) : null);
      },
    };
    await withMailServer(refusing, async (port, seen) => {
      const recipients = ['uno@provider.example', given];
      const refused = await send(urlOf('smtp', port), {
        ...message,
        recipients,
        pendingRecipients: recipients,
      });
      // If the refused address cannot be matched, the message is sent to everybody again.
      expect(refused).toEqual([kind === 'two dots in a row' ? recipients : [given]]);
      expect(seen.secure).toHaveLength(1);
    });
  });

  test('shares a few connections among many messages', async () => {
    await withMailServer({ disabledCommands: ['STARTTLS'] }, async (port, seen) => {
      const many = Array.from({ length: 4 * CONCURRENCY }, (_, index) => ({
        ...message,
        messageId: String(index),
      }));
      await send(urlOf('smtp', port), ...many);
      expect(seen.secure).toHaveLength(many.length);
      expect(seen.connections).toBeLessThanOrEqual(CONCURRENCY);
    });
  });
});
