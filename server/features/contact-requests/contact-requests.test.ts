import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { CONTACT_FAILED_PATH, CONTACT_REFUSED_PATH, CONTACT_SENT_PATH } from '#contract/contact-requests.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import { contactRequests } from '#server/db/schema.ts';
import { readAs, SYSTEM } from '#server/db/scope.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test, testWith } from '#server/testing/test.ts';

const sound = { nome: 'Ada', cognome: 'Neri', telefono: '+39 06 5550100' };

function stored({ services }: TestServer) {
  return readAs(services.pool, SYSTEM).select().from(contactRequests);
}

function post(server: TestServer, body: string, type = 'application/x-www-form-urlencoded') {
  return server.anonymous().request('/api/contact-requests', {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  });
}

describe('a contact request', () => {
  test('with more fields than any form has is refused before they are parsed', async ({ server }) => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `k${index}=1`).join('&');
    expect((await post(server, fields(1000))).status).toBe(303);
    expect((await post(server, fields(1001))).status).toBe(413);
  });

  test('is stored and mailed with only the fields that were filled in', async ({ server }) => {
    const response = await server.anonymous().send('POST', '/api/contact-requests', sound);
    expect(response.status).toBe(201);
    const ofAda = (await stored(server)).filter(
      ({ firstName, lastName }) => `${firstName} ${lastName}` === 'Ada Neri',
    );
    expect(ofAda).toMatchObject([
      {
        company: null,
        email: null,
        contactPreference: 'email',
        message: null,
      },
    ]);
    const mail = await server.mailbox.received('Nuova Richiesta di Contatto - Ada Neri');
    expect(mail.text).toContain('- Azienda: non indicata\n');
    expect(mail.text).not.toContain('- Email:');
    expect(mail.text).not.toContain('MESSAGGIO');
    expect(mail.from?.name).toBe('Ada Neri');
    expect(mail.replyTo).toBeUndefined();
    expect(mail.to?.map(({ address }) => address)).toEqual(server.services.env.requestsTo);
  });

  test('posted as a plain form redirects to the confirmation page', async ({ server }) => {
    const form = new URLSearchParams({
      ...sound,
      nome: 'Niccolò',
      azienda: '',
      messaggio: 'È urgente',
      website: '',
    });
    const response = await post(server, form.toString());
    expect([response.status, response.headers.get('location')]).toEqual([303, CONTACT_SENT_PATH]);
    const mail = await server.mailbox.received('Nuova Richiesta di Contatto - Niccolò Neri');
    expect(mail.text).toContain('MESSAGGIO\nÈ urgente\n');
  });

  test('with the honeypot field filled in is answered as usual and dropped', async ({ server }) => {
    const before = await stored(server);
    const json = { ...sound, nome: 'Robot', website: 'https://spam.example' };
    expect((await server.anonymous().send('POST', '/api/contact-requests', json)).status).toBe(201);
    expect((await post(server, new URLSearchParams(json).toString())).status).toBe(303);
    expect(await stored(server)).toEqual(before);
  });

  test.for([
    ['nome', '  ', 'Il nome è obbligatorio'],
    ['cognome', undefined, 'Il cognome è obbligatorio'],
    ['telefono', '', 'Il numero di telefono è obbligatorio'],
    ['email', 'ada@', 'Indirizzo email non valido'],
  ] as const)(
    'without a valid %s is refused with a message on that field',
    async ([field, value, message], { server }) => {
      const response = await server
        .anonymous()
        .send('POST', '/api/contact-requests', { ...sound, [field]: value });
      expect(response.status).toBe(422);
      expect(errorBodySchema.parse(await response.json()).error.fields).toEqual({ [field]: message });
      const posted = await post(server, new URLSearchParams({ ...sound, [field]: value ?? '' }).toString());
      expect([posted.status, posted.headers.get('location')]).toEqual([303, CONTACT_REFUSED_PATH]);
    },
  );

  test('with an e-mail address has it as Reply-To of the mail', async ({ server }) => {
    const request = { ...sound, cognome: 'Rossi', email: ' Ada.Rossi@Example.com ' };
    expect((await server.anonymous().send('POST', '/api/contact-requests', request)).status).toBe(201);
    const mail = await server.mailbox.received('Nuova Richiesta di Contatto - Ada Rossi');
    expect(mail.replyTo?.map(({ address }) => address)).toEqual(['ada.rossi@example.com']);
    expect(mail.text).toContain('- Email: ada.rossi@example.com\n');
    expect(await stored(server)).toContainEqual(
      expect.objectContaining({ lastName: 'Rossi', email: 'ada.rossi@example.com' }),
    );
  });

  test.for([
    ['Bassi', '@ufficio 06 5550100'],
    ['Conti', '06 5550100, chiedere a Ada@cantiere'],
    ['Dini', 'Ada <ada@example.com>, luca@example.com'],
  ] as const)(
    'from %s has no Reply-To made from the phone number %s',
    async ([cognome, telefono], { server }) => {
      const request = { ...sound, cognome, telefono };
      expect((await server.anonymous().send('POST', '/api/contact-requests', request)).status).toBe(201);
      const mail = await server.mailbox.received(`Nuova Richiesta di Contatto - Ada ${cognome}`);
      expect(mail.headers.map(({ key }) => key)).not.toContain('reply-to');
      expect(mail.text).toContain(`- Telefono: ${telefono}\n`);
    },
  );

  test('with NUL, invalid UTF-8, malformed JSON or another content type is refused', async ({ server }) => {
    for (const body of ['nome=%00&cognome=b&telefono=1', 'nome=%FF&cognome=b&telefono=1']) {
      expect((await post(server, body)).status).toBe(400);
    }
    expect((await post(server, '{', 'application/json')).status).toBe(400);
    expect((await post(server, 'Ada Neri', 'text/plain')).status).toBe(415);
    const form = '--x\r\nContent-Disposition: form-data; name="nome"\r\n\r\nAda\r\n--x--\r\n';
    expect((await post(server, form, 'multipart/form-data; boundary=x')).status).toBe(415);
  });

  test('cannot be read by a signed-in customer', async ({ server }) => {
    await server.anonymous().send('POST', '/api/contact-requests', { ...sound, nome: 'Bice' });
    expect(await stored(server)).not.toEqual([]);
    const user = await server.make.user();
    const asUser = readAs(server.services.pool, { userId: user.id, role: 'user' });
    expect(await asUser.select().from(contactRequests)).toEqual([]);
  });
});

testWith({ RATE_LIMITS: 'on' })(
  'one IPv6 /64 network can send at most ten contact requests in ten minutes, and repeat each of them',
  async ({ server }) => {
    const send = async (call: number, key: string, nome = sound.nome) => {
      const answer = await server.anonymous().request('/api/contact-requests', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
          'X-Forwarded-For': `2001:db8:0:7::${call}`,
        },
        body: JSON.stringify({ ...sound, nome }),
      });
      return answer.status;
    };
    const statuses: number[] = [];
    const last = randomUUID();
    for (let call = 1; call < 10; call += 1) statuses.push(await send(call, randomUUID()));
    statuses.push(await send(10, last), await send(11, randomUUID()));
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
    expect([await send(12, last), await send(12, last, 'Bice')]).toEqual([201, 422]);
    const posted = await server.anonymous().request('/api/contact-requests', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': '2001:db8:0:7::12' },
      body: new URLSearchParams(sound).toString(),
    });
    expect([posted.status, posted.headers.get('location')]).toEqual([303, CONTACT_FAILED_PATH]);
  },
);
