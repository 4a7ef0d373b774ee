import { describe, expect } from 'vitest';
import { errorBodySchema } from '#contract/error-body.ts';
import { SUPPORT_LIMITS } from '#contract/support-requests.ts';
import { provider } from '#provider';
import { test } from '#server/testing/test.ts';

describe('a message to support', () => {
  test('is mailed to support with its page, and gets a reference number', async ({ server }) => {
    const user = await server.make.user();
    const { api } = await server.as(user);
    const response = await api['support-requests'].$post({
      header: {},
      json: { messaggio: '  Il PDF non si apre\nda ieri  ', pagina: '/app/pagamenti-fatture' },
    });
    expect(response.status).toBe(201);
    const { reference } = await response.json();
    expect(reference).toMatch(/^SUP-[A-Z0-9]{7}$/);

    const message = await server.mailbox.received(reference);
    expect(message.to?.map(({ address }) => address)).toEqual([provider.support.email]);
    expect(message.replyTo?.map(({ address }) => address)).toEqual([user.email]);
    expect(message.text).toContain('/app/pagamenti-fatture');
    expect(message.text).toContain('Il PDF non si apre\nda ieri');
  });

  test('about a trip request names the page on which the provider finds it, if it is the sender’s', async ({
    server,
  }) => {
    const user = await server.make.user();
    const { api } = await server.as(user);
    const own = await server.make.tripRequest(user);
    const others = await server.make.tripRequest(await server.make.user());
    const mailFrom = async (pagina: string) => {
      const sent = await api['support-requests'].$post({
        header: {},
        json: { messaggio: 'Quando?', pagina },
      });
      const { reference } = await sent.json();
      return (await server.mailbox.received(reference)).text;
    };
    const customers = (id: number) => `/app/nuova-trasferta/richieste/${id}`;
    const providers = (id: number) => `${server.services.env.publicUrl}/app/gestione-richieste/${id}\n`;
    const mail = await mailFrom(customers(own.id));
    expect(mail).toContain(`${customers(own.id)}\n`);
    expect(mail).toContain(providers(own.id));
    for (const page of [customers(others.id), '/app/nuova-trasferta/richieste', '/app/home']) {
      expect(await mailFrom(page)).not.toContain('/app/gestione-richieste/');
    }
  });

  test('gets a reference number of its own', async ({ server }) => {
    const { api } = await server.as(await server.make.user());
    const send = async () =>
      (await (await api['support-requests'].$post({ header: {}, json: { messaggio: 'Aiuto' } })).json())
        .reference;
    expect(await send()).not.toBe(await send());
  });

  test('is refused when empty, too long, with an invalid page or with unknown fields', async ({ server }) => {
    const visitor = await server.as(await server.make.user());
    const fieldsOf = async (body: object) => {
      const response = await visitor.send('POST', '/api/support-requests', body);
      expect(response.status).toBe(422);
      return Object.keys(errorBodySchema.parse(await response.json()).error.fields ?? {});
    };
    expect(await fieldsOf({})).toEqual(['messaggio']);
    expect(await fieldsOf({ messaggio: '   ' })).toEqual(['messaggio']);
    expect(await fieldsOf({ messaggio: 'x'.repeat(SUPPORT_LIMITS.messaggio + 1) })).toEqual(['messaggio']);
    for (const pagina of ['https://altrove.example/', '/app/../etc', '/app\r\nX: y', 'app/home']) {
      expect(await fieldsOf({ messaggio: 'Aiuto', pagina })).toEqual(['pagina']);
    }
    const unknown = await visitor.send('POST', '/api/support-requests', {
      messaggio: 'Aiuto',
      urgente: true,
    });
    expect(unknown.status).toBe(422);
  });
});
