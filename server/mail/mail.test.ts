import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import fc from 'fast-check';
import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type CalendarDate, formatDateTime, withArticle } from '#contract/dates.ts';
import type { TripRequestDetail, TripRequestInput } from '#contract/trip-requests.ts';
import { SYSTEM, transaction } from '#server/db/scope.ts';
import { QUEUES } from '#server/jobs/boss.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { startSmtpServer } from '#server/testing/smtp-server.ts';
import { customerLines, tripRequestSamples } from '#server/testing/trip-request-samples.ts';
import { until } from '#server/testing/until.ts';

/** Retries immediately: the tests check whether a message arrives, not when. */
const { retryDelayMax: _, ...mailQueue } = QUEUES.mail;
const impatient = {
  ...QUEUES,
  mail: { ...mailQueue, retryDelay: 0, retryBackoff: false, retryLimit: 50 },
};

const provider = [
  'uno@provider.example',
  'due@provider.example',
  'tre@Provider.Example',
  'quattro@provider.example',
];
/** The same as sent to a mail server, with lower-case domains. */
const wireProvider = provider.map((address) => address.toLowerCase());

const full: TripRequestInput = {
  citta: 'Forlì',
  posizione: 'Via Emilia 12, località Ca’ Ossi',
  dataInizio: '2027-03-01' as CalendarDate,
  dataFine: '2027-03-21' as CalendarDate,
  progetto: 'Revamping <linea 3> & caldaia',
  ragione: 'Sostituzione caldaia.\nDue turni.',
  numeroDipendenti: 12,
  alloggio: 'entrambi',
  preferenzaAlloggio: 'appartamento',
  camere: { singole: 2, doppie: 5, suite: 0 },
  requisiti: {
    colazione: 'necessario',
    lavanderia: 'preferibile',
    parcheggio: 'necessario',
    cucina: 'non necessario',
  },
  budget: 1250,
  budgetNote: 'IVA esclusa',
  priorita: 'distanza',
  altreRichieste: 'Perché si lavora di notte: silenzio di giorno.\nGrazie — a presto €',
  telefono: '+39 333 1234567',
  email: 'capo.cantiere@example.com',
};

const minimal: TripRequestInput = {
  citta: 'Bari',
  posizione: 'Porto',
  dataInizio: '2027-01-07' as CalendarDate,
  dataFine: '2027-01-07' as CalendarDate,
  progetto: 'Molo',
  ragione: 'Rilievi',
  alloggio: 'hotel',
  telefono: '080 1',
  email: 'uno@example.com',
};

async function sendRequest(server: TestServer, body: TripRequestInput): Promise<TripRequestDetail> {
  const user = await server.make.user({ fullName: 'Niccolò Sarà', companyName: 'Ponti & Figli S.r.l.' });
  const { api } = await server.as(user);
  const response = await api['trip-requests'].$post({ header: {}, json: body });
  expect(response.status).toBe(201);
  return response.json();
}

function fullText(origin: string, { id, createdAt }: TripRequestDetail): string {
  return `NUOVA RICHIESTA DI TRASFERTA

INFORMAZIONI BASE
- Città: Forlì
- Posizione esatta del sito di lavoro: Via Emilia 12, località Ca’ Ossi
- Data di inizio: 01/03/2027
- Data di fine: 21/03/2027
- Nome del progetto: Revamping <linea 3> & caldaia
- Ragione della trasferta: Sostituzione caldaia.
  Due turni.
- Numero di persone: 12

ALLOGGIO
- Tipo di alloggio: entrambi
- Preferenza: appartamento

CAMERE
- Singole: 2
- Doppie: 5
- Suite: 0

REQUISITI
- Colazione: necessario
- Lavanderia: preferibile
- Parcheggio: necessario
- Cucina: non necessario

BUDGET E PRIORITÀ
- Budget: € 1.250 a notte per persona
- Note sul budget: IVA esclusa
- Priorità: distanza

ALTRE RICHIESTE
Perché si lavora di notte: silenzio di giorno.
Grazie — a presto €

CONTATTI
- Cliente: Niccolò Sarà
- Azienda: Ponti & Figli S.r.l.
- Telefono: +39 333 1234567
- Email: capo.cantiere@example.com

Apri la richiesta:
${origin}/app/gestione-richieste/${id}

--
Richiesta inviata ${withArticle('il', formatDateTime(createdAt))}
`;
}

function minimalText(origin: string, { id, createdAt }: TripRequestDetail): string {
  return `NUOVA RICHIESTA DI TRASFERTA

INFORMAZIONI BASE
- Città: Bari
- Posizione esatta del sito di lavoro: Porto
- Data di inizio: 07/01/2027
- Data di fine: 07/01/2027
- Nome del progetto: Molo
- Ragione della trasferta: Rilievi
- Numero di persone: 1

ALLOGGIO
- Tipo di alloggio: hotel

CAMERE
- Singole: 0
- Doppie: 0
- Suite: 0

REQUISITI
- Colazione: preferibile
- Lavanderia: preferibile
- Parcheggio: preferibile
- Cucina: preferibile

BUDGET E PRIORITÀ
- Budget: Nessun limite indicato
- Priorità: costo

CONTATTI
- Cliente: Niccolò Sarà
- Azienda: Ponti & Figli S.r.l.
- Telefono: 080 1
- Email: uno@example.com

Apri la richiesta:
${origin}/app/gestione-richieste/${id}

--
Richiesta inviata ${withArticle('il', formatDateTime(createdAt))}
`;
}

/** A message as a mail client parses it, and its raw bytes. */
type Delivery = { mail: Email; raw: Buffer; recipients: string[] };

const HEADERS = [
  'From',
  'To',
  'Reply-To',
  'Subject',
  'Message-ID',
  'Date',
  'MIME-Version',
  'Content-Type',
] as const;

/** Decodes a transfer-encoded body without a mail library, which might hide errors. */
function decodedBody(encoding: string | undefined, body: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding === '7bit') return Buffer.from(body, 'latin1');
  if (encoding !== 'quoted-printable') throw new Error(`unexpected transfer encoding ${encoding}`);
  const octets = body
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(octets, 'latin1');
}

/** The headers of a message in their order, and its text and HTML, byte for byte. */
function dissect(raw: Buffer): { headers: Map<string, string>; text: Buffer; html: Buffer } {
  const wire = raw.toString('latin1');
  const splitHead = (part: string) => {
    const end = part.indexOf('\r\n\r\n');
    const lines = part.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
    const headers = new Map(
      lines.split('\r\n').map((line) => {
        const colon = line.indexOf(': ');
        return [line.slice(0, colon), line.slice(colon + 2)];
      }),
    );
    return { headers, body: part.slice(end + 4) };
  };
  const { headers, body } = splitHead(wire);
  const boundary = /^multipart\/alternative; boundary="([^"]+)"$/.exec(
    headers.get('Content-Type') ?? '',
  )?.[1];
  const [, plain = '', html = '', end] = `\r\n${body}`.split(`\r\n--${boundary}`);
  expect(end).toBe('--\r\n');
  const part = (type: string, content: string) => {
    const { headers: own, body: encoded } = splitHead(content.slice(2));
    expect(own.get('Content-Type')).toBe(`${type}; charset=utf-8`);
    return decodedBody(own.get('Content-Transfer-Encoding'), encoded);
  };
  return { headers, text: part('text/plain', plain), html: part('text/html', html) };
}

/** Text as encoded in a message: UTF-8 with CRLF line endings. */
function onTheWire(content: string): Buffer {
  return Buffer.from(content.replaceAll('\n', '\r\n'));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The readable lines of the HTML part, without tags and without the brand above the title. */
function linesOfHtml(html: string): string[] {
  return html
    .replace(/^.*?<h1/s, '<h1')
    .replaceAll('<wbr>', '')
    .replace(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g, '$2\n$1')
    .replace(/<[^>]+>/g, '\n')
    .replace(/&([^;]+);/g, (entity, name) => ENTITIES[name] ?? entity)
    .split(/\r?\n/)
    .filter((line) => line !== '');
}

/** The same of the plain text: labels and values are separate cells in HTML, and titles are capitals only here. */
function linesOfText(plain: string): string[] {
  return plain
    .split('\n')
    .filter((line) => line !== '' && line !== '--')
    .flatMap((line) => {
      const [, label, value] = /^- ([^:]+): (.*)$/.exec(line) ?? [];
      return label !== undefined && value !== undefined ? [label, value] : [line.replace(/^ {2}|:$/g, '')];
    });
}

const folded = (lines: readonly string[]) => lines.map((line) => line.toLowerCase());

/** A mail server that records deliveries; `state` makes it refuse the next messages or certain recipients. */
async function startMailServer() {
  const deliveries: Delivery[] = [];
  const state = { failures: 0, refused: new Set<string>() };
  const { port, stop } = await startSmtpServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom(_address, _session, done) {
      if (state.failures === 0) return done();
      state.failures -= 1;
      done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
    },
    onRcptTo({ address }, _session, done) {
      done(
        state.refused.has(address) ? Object.assign(new Error('Mailbox full'), { responseCode: 452 }) : null,
      );
    },
    async onData(stream, session, done) {
      const raw = await buffer(stream);
      const mail = await PostalMime.parse(raw);
      deliveries.push({ mail, raw, recipients: session.envelope.rcptTo.map(({ address }) => address) });
      done();
    },
  });
  const about = (subject: string) => deliveries.filter(({ mail }) => mail.subject?.includes(subject));
  return {
    url: `smtp://127.0.0.1:${port}`,
    deliveries,
    state,
    about,
    /** Waits for the first delivery about `subject`. */
    received: (subject: string) => until(`mail about ${subject}`, () => about(subject).at(0)),
    stop,
  };
}

describe('over SMTP', () => {
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  let server: Awaited<ReturnType<typeof startTestServer>>;

  beforeAll(async () => {
    mail = await startMailServer();
    const variables = { MAIL_URL: mail.url, REQUESTS_TO: provider.join(',') };
    server = await startTestServer(inject('testCluster'), variables, impatient);
  });
  afterAll(async () => {
    await server.stop();
    await mail.stop();
  });

  test('a full request reaches the four recipients byte for byte, as text and HTML', async () => {
    const request = await sendRequest(server, full);
    const { mail: received, raw, recipients } = await mail.received('Nuova Richiesta Trasferta - Forlì');
    const wire = dissect(raw);
    expect(wire.text.equals(onTheWire(fullText(server.origin, request)))).toBe(true);
    expect(folded(linesOfHtml(wire.html.toString()))).toEqual(
      folded(linesOfText(fullText(server.origin, request))),
    );
    // 7-bit text in short lines that end in CRLF: no relay has a reason to change it.
    expect(raw.toString('latin1')).toMatch(/^(?:[\x20-\x7e\t]{0,998}\r\n)+$/);
    expect([...wire.headers.keys()]).toEqual(HEADERS);
    expect(wire.headers.get('Reply-To')).toBe('capo.cantiere@example.com');
    expect(wire.headers.get('To')).toBe(wireProvider.join(', '));
    expect(received.subject).toBe('Nuova Richiesta Trasferta - Forlì (Revamping <linea 3> & caldaia)');
    expect(recipients).toEqual(wireProvider);
    expect(received.to?.map(({ address }) => address)).toEqual(wireProvider);
    expect(received.replyTo?.map(({ address }) => address)).toEqual(['capo.cantiere@example.com']);
    expect(received.from?.name).toBe('Ponti & Figli S.r.l.');
    expect(wire.html.toString()).toContain('Revamping &lt;linea 3&gt; &amp; caldaia');
    // On a phone an address is longer than its cell.
    expect(wire.html.toString()).toContain('capo.cantiere@<wbr>example.com');

    const copy = await mail.received('Abbiamo ricevuto la richiesta - Forlì');
    expect(copy.recipients).toEqual(['capo.cantiere@example.com']);
    expect(copy.mail.text).toContain(
      '- Posizione esatta del sito di lavoro: Via Emilia 12, località Ca’ Ossi',
    );
  });

  test('a minimal request omits the optional lines', async () => {
    const request = await sendRequest(server, minimal);
    const { raw } = await mail.received('Nuova Richiesta Trasferta - Bari');
    const wire = dissect(raw);
    expect(wire.text.equals(onTheWire(minimalText(server.origin, request)))).toBe(true);
    expect(folded(linesOfHtml(wire.html.toString()))).toEqual(
      folded(linesOfText(minimalText(server.origin, request))),
    );
  });

  test('user input never becomes a header', async () => {
    const evil = 'Bcc: tutti@example.com\r\nX-Evil: sì';
    await sendRequest(server, { ...minimal, citta: `Lecce\r\n${evil}`, progetto: `Faro\n${evil}` });
    const { mail: received, raw, recipients } = await mail.received('Nuova Richiesta Trasferta - Lecce');
    expect([...dissect(raw).headers.keys()]).toEqual(HEADERS);
    expect(received.subject).toBe(
      'Nuova Richiesta Trasferta - Lecce Bcc: tutti@example.com X-Evil: sì (Faro Bcc: tutti@example.com X-Evil: sì)',
    );
    expect(recipients).toEqual(wireProvider);
  });

  test('messages refused temporarily are delivered once each, with distinct Message-IDs', async () => {
    mail.state.failures = 8;
    await sendRequest(server, { ...minimal, citta: 'Trani' });
    await mail.received('Nuova Richiesta Trasferta - Trani');
    await mail.received('Abbiamo ricevuto la richiesta - Trani');
    expect(mail.state.failures).toBe(0);
    // Only then can no attempt deliver one of them again.
    await until('both to be sent and their jobs to end', async () => {
      const { rows } = await server.make.sql<{ state: string; open: boolean }>(
        `select state, exists (select from pgboss.job where data->>'id' = mail_messages.id::text
           and state in ('created', 'retry', 'active')) as open
         from mail_messages where subject like '% - Trani%'`,
      );
      return rows.length === 2 && rows.every(({ state, open }) => state === 'sent' && !open);
    });
    const ids = mail.about('Trani').map(({ mail: { messageId } }) => messageId);
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
  });

  test('only a refused recipient is retried', async () => {
    const late = wireProvider.slice(2, 3);
    mail.state.refused = new Set(late);
    await sendRequest(server, { ...minimal, citta: 'Molfetta' });
    const first = await mail.received('Nuova Richiesta Trasferta - Molfetta');
    expect(first.recipients).toEqual(wireProvider.filter((address) => !late.includes(address)));
    mail.state.refused = new Set();
    const second = await until('the second delivery', () => mail.about('Trasferta - Molfetta').at(1));
    expect(second.recipients).toEqual(late);
    expect(second.mail.messageId).toBe(first.mail.messageId);
    expect(second.mail.text).toBe(first.mail.text);
  });

  test('a message that was sent is neither sent again nor given up when a job comes late', async () => {
    await sendRequest(server, { ...minimal, citta: 'Andria' });
    await mail.received('Nuova Richiesta Trasferta - Andria');
    const { jobs, pool } = server.services;
    const { sql } = server.make;
    const sent = await until('it to be recorded as sent', async () => {
      const { rows } = await sql<{ id: string }>(
        "select id from mail_messages where state = 'sent' and subject like 'Nuova Richiesta Trasferta - Andria%'",
      );
      return rows.at(0);
    });
    for (const queue of ['mail', 'undelivered'] as const)
      await transaction(pool, SYSTEM, (tx) => jobs.send(tx, queue, { id: Number(sent.id) }));
    await until('the late jobs to end', async () => {
      const { rows } = await sql(
        "select from pgboss.job where name in ('mail', 'undelivered') and data->>'id' = $1 and state = 'completed'",
        [sent.id],
      );
      return rows.length === 3;
    });
    expect(mail.about('Nuova Richiesta Trasferta - Andria')).toHaveLength(1);
    const { rows: kept } = await sql('select state from mail_messages where id = $1', [sent.id]);
    expect(kept).toEqual([{ state: 'sent' }]);
  });

  test('messages about an account and to support say the same as text and as HTML', async () => {
    const user = await server.make.user({ fullName: 'Ada <2> & Figli' });
    const { api } = await server.as(user);
    await api.auth.recoveries.$post({ json: { email: user.email } });
    await api.auth.codes.$post({ json: { email: user.email } });
    await api.auth['email-verifications'].$post();
    await api['support-requests'].$post({
      header: {},
      json: { messaggio: 'Il PDF <2> non si apre\nda ieri', pagina: '/app/profile' },
    });
    const about = [
      'Scegli una nuova password',
      'Il tuo codice di accesso',
      'Conferma il tuo indirizzo',
      'SUP-',
    ];
    for (const subject of about) {
      const { raw } = await until(`the message about ${subject}`, () =>
        mail
          .about(subject)
          .find(
            ({ mail: { text }, recipients }) => recipients.includes(user.email) || text?.includes(user.email),
          ),
      );
      const wire = dissect(raw);
      expect(folded(linesOfHtml(wire.html.toString()))).toEqual(
        folded(linesOfText(wire.text.toString().replaceAll('\r', ''))),
      );
    }
  });

  test('an expired code is not sent any more and its text is erased', async () => {
    const { email, id } = await server.make.user();
    const { api } = server.anonymous();
    const codes = () => mail.about('Il tuo codice di accesso').length;
    const sent = codes();
    mail.state.failures = Number.POSITIVE_INFINITY;
    await api.auth.codes.$post({ json: { email } });
    const stored = async (condition: string) => {
      const { rows } = await server.make.sql(
        `select state, body_text, body_html from mail_messages where user_id = $1 and ${condition}`,
        [id],
      );
      return rows.at(0);
    };
    await until('the first attempt', () => stored("attempts > 0 and state = 'queued'"));
    await server.make.sql(
      `update mail_messages set created_at = created_at - interval '10 minutes' where user_id = $1`,
      [id],
    );
    expect(await until('it to be given up', () => stored("state <> 'queued'"))).toEqual({
      state: 'failed',
      body_text: '',
      body_html: null,
    });
    mail.state.failures = 0;
    await api.auth.codes.$post({ json: { email } });
    await until('a valid code', () => codes() > sent);
    expect(codes()).toBe(sent + 1);
  });

  test('any valid request goes unchanged from the API to the record and to the mail', async () => {
    const user = await server.make.user();
    const { api } = await server.as(user);
    await fc.assert(
      fc.asyncProperty(tripRequestSamples, async (request) => {
        const response = await api['trip-requests'].$post({ header: {}, json: request });
        expect(response.status).toBe(201);
        const stored = await response.json();
        expect(stored).toMatchObject(request);
        const link = `${server.origin}/app/gestione-richieste/${stored.id}\n`;
        const { mail: received } = await until('the mail of the request', () =>
          mail.deliveries.find((delivery) => delivery.mail.text?.includes(link)),
        );
        for (const written of customerLines(request)) expect(received.text).toContain(written);
      }),
      { numRuns: 12 },
    );
  });
});

test('a message is given up after its last failed attempt, listed, and resent on demand', async () => {
  const mail = await startMailServer();
  mail.state.failures = Number.POSITIVE_INFINITY;
  const server = await startTestServer(
    inject('testCluster'),
    { MAIL_URL: mail.url },
    { ...impatient, mail: { ...impatient.mail, retryLimit: 1 } },
  );
  try {
    await sendRequest(server, { ...minimal, citta: 'Otranto' });
    const { email, id: userId } = await server.make.user();
    await server.anonymous().api.auth.recoveries.$post({ json: { email } });
    const admin = await server.as(await server.make.user({ role: 'admin' }));
    const undelivered = async () => {
      const page = await (await admin.api.admin['mail-messages'].$get({ query: {} })).json();
      return page.items.filter(({ state }) => state === 'failed');
    };
    const failed = await until(
      'both messages to be given up',
      async () => {
        const items = await undelivered();
        return items.length === 2 ? items : null;
      },
      30,
    );
    expect(failed.map(({ attempts }) => attempts)).toEqual([2, 2]);
    expect(failed[0]?.failure?.reason).toMatch(/^Il server di posta rifiuta [^()]+$/);
    expect(failed[0]?.failure?.details).toContain('Try again later');

    // A recovery message is given up as well, and its link is erased.
    await until('the recovery message to be given up', async () => {
      const { rows } = await server.make.sql(
        "select body_text, body_html from mail_messages where user_id = $1 and state = 'failed'",
        [userId],
      );
      if (rows.length === 0) return null;
      expect(rows).toEqual([{ body_text: '', body_html: null }]);
      return rows;
    });

    mail.state.failures = 0;
    for (const { id } of failed) {
      const resend = () =>
        admin.api.admin['mail-messages'][':id'].resend.$post({ param: { id: String(id) } });
      expect((await resend()).status).toBe(204);
      expect((await resend()).status).toBe(409);
    }
    await mail.received('Nuova Richiesta Trasferta - Otranto');
    await mail.received('Abbiamo ricevuto la richiesta - Otranto');
    await until('the list to be empty', async () => (await undelivered()).length === 0);
    expect(mail.deliveries).toHaveLength(2);
  } finally {
    await server.stop();
    await mail.stop();
  }
});

/** The body of a call to the send endpoint, as spec §7 describes it: these parameters, in one JSON object. */
function endpointBody(parameters: {
  to: string;
  subject: string;
  message: string;
  from: string;
  replyTo: string;
}): string {
  const { to, subject, message, from, replyTo } = parameters;
  const template = { to_email: to, subject, message, from_name: from, reply_to: replyTo };
  return JSON.stringify({ service_id: 'srv', template_id: 'tpl', user_id: 'pub', template_params: template });
}

test('over the HTTP send endpoint the bodies are exact to the byte, and only 200 counts as success', async () => {
  const calls: { path: string | undefined; type: string | undefined; body: string }[] = [];
  const answers = [500, 202, 302];
  const endpoint = createServer(async (request: IncomingMessage, response) => {
    const body = await text(request);
    const status = answers.shift() ?? 200;
    if (status === 200) calls.push({ path: request.url, type: request.headers['content-type'], body });
    response.writeHead(status, { Location: '/altrove' }).end('OK');
  });
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const { port } = endpoint.address() as AddressInfo;
  const server = await startTestServer(
    inject('testCluster'),
    {
      MAIL_URL: `emailjs:http://127.0.0.1:${port}/api/v1.0/email/send?service=srv&template=tpl&user=pub`,
      REQUESTS_TO: provider.join(','),
    },
    impatient,
  );
  const to = provider.join(',');
  const called = (subject: string) =>
    until(`a call about ${subject}`, () => calls.find(({ body }) => body.includes(subject)));
  try {
    const contact = await server.anonymous().send('POST', '/api/contact-requests', {
      nome: 'Zoë',
      cognome: "D'Amico",
      azienda: 'Cantieri Blu',
      telefono: '+39 06 1',
      messaggio: 'Buongiorno, è possibile?',
    });
    expect(contact.status).toBe(201);
    const sent = await called('Nuova Richiesta di Contatto');
    expect([sent.path, sent.type]).toEqual(['/api/v1.0/email/send', 'application/json']);
    const sentAt = /Richiesta inviata ((?:il |l’)\d\d\/\d\d\/\d{4}, \d\d:\d\d)\\n/.exec(sent.body)?.[1];
    expect(sent.body).toBe(
      endpointBody({
        to,
        subject: "Nuova Richiesta di Contatto - Zoë D'Amico",
        message: `NUOVA RICHIESTA DI CONTATTO

CONTATTO
- Nome: Zoë
- Cognome: D'Amico
- Azienda: Cantieri Blu
- Telefono: +39 06 1
- Preferenza di contatto: email

MESSAGGIO
Buongiorno, è possibile?

--
Richiesta inviata ${sentAt}
`,
        from: "Zoë D'Amico - Cantieri Blu",
        replyTo: '+39 06 1',
      }),
    );

    const complete = await sendRequest(server, full);
    expect((await called('Nuova Richiesta Trasferta - Forlì')).body).toBe(
      endpointBody({
        to,
        subject: 'Nuova Richiesta Trasferta - Forlì (Revamping <linea 3> & caldaia)',
        message: fullText(server.origin, complete),
        from: 'Ponti & Figli S.r.l.',
        replyTo: 'capo.cantiere@example.com',
      }),
    );
    const brief = await sendRequest(server, minimal);
    expect((await called('Nuova Richiesta Trasferta - Bari')).body).toBe(
      endpointBody({
        to,
        subject: 'Nuova Richiesta Trasferta - Bari (Molo)',
        message: minimalText(server.origin, brief),
        from: 'Ponti & Figli S.r.l.',
        replyTo: 'uno@example.com',
      }),
    );
    for (const city of ['Forlì', 'Bari']) await called(`Abbiamo ricevuto la richiesta - ${city}`);
  } finally {
    await server.stop();
    endpoint.closeAllConnections();
    endpoint.close();
  }
  // One message for the contact request, two for each trip request.
  expect([answers, calls.length]).toEqual([[], 5]);
});
