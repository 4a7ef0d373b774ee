import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { addDays, todayInRome } from '#contract/dates.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import {
  NEXT_STEP,
  type StateChange,
  TRIP_REQUEST_STATES,
  type TripRequestInput,
  tripRequestDetailSchema,
} from '#contract/trip-requests.ts';
import { provider } from '#provider';
import { errorOf } from '#server/testing/client.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { duringTransaction } from '#server/testing/locks.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';

const start = addDays(todayInRome(), 30);

const minimal: TripRequestInput = {
  citta: 'Ravenna',
  posizione: 'Via Baiona 107, ingresso C',
  dataInizio: start,
  dataFine: addDays(start, 20),
  progetto: 'Fermata impianto',
  ragione: 'Manutenzione',
  telefono: '+39 333 1234567',
  email: 'capocantiere@example.com',
};

/** The sender of all refused requests: one shared account, because a login is slow. */
let refused: Promise<TestUser> | undefined;

async function send(server: TestServer, user: TestUser, body: object = minimal, key?: string) {
  const visitor = await server.as(user);
  return visitor.request('/api/trip-requests', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key && { 'Idempotency-Key': key }) },
    body: JSON.stringify(body),
  });
}

async function fieldsOf(response: Response): Promise<Record<string, string>> {
  const { error } = errorBodySchema.parse(await response.json());
  return error.fields ?? {};
}

async function create(server: TestServer, user: TestUser, values: Partial<TripRequestInput> = {}) {
  const { api } = await server.as(user);
  const response = await api['trip-requests'].$post({ header: {}, json: { ...minimal, ...values } });
  expect(response.status).toBe(201);
  return response.json();
}

describe('a new trip request', () => {
  test('is stored with the defaults of the wizard', async ({ server }) => {
    const user = await server.make.user();
    const request = await create(server, user);
    expect(request).toMatchObject({
      ...minimal,
      state: 'Inviata',
      numeroDipendenti: 1,
      alloggio: 'entrambi',
      preferenzaAlloggio: 'nessuna preferenza',
      camere: { singole: 0, doppie: 0, suite: 0 },
      requisiti: {
        colazione: 'preferibile',
        lavanderia: 'preferibile',
        parcheggio: 'preferibile',
        cucina: 'preferibile',
      },
      budget: 0,
      budgetNote: null,
      priorita: 'costo',
      altreRichieste: null,
      projectId: null,
      canWithdraw: true,
      events: [{ state: 'Inviata', note: null, author: 'customer', authorName: user.fullName }],
    });
    const { api } = await server.as(user);
    const found = await api['trip-requests'][':id'].$get({ param: { id: String(request.id) } });
    expect(await found.json()).toEqual(request);
    const noted = { budgetNote: 'IVA esclusa', altreRichieste: 'Silenzio di giorno' };
    expect(await create(server, user, noted)).toMatchObject(noted);
  });

  test("is linked to the customer's project of the same name, ignoring case", async ({ server }) => {
    const user = await server.make.user();
    const stranger = await server.make.user();
    await server.make.project(stranger, { name: 'Centrale di Brindisi' });
    const mine = await server.make.project(user, { name: 'Centrale di Brindisi' });
    const request = await create(server, user, { progetto: 'centrale di brindisi' });
    expect([request.projectId, request.progetto]).toEqual([mine.id, 'centrale di brindisi']);
  });

  test('is linked to the project that it was begun from, if several have the name', async ({ server }) => {
    const user = await server.make.user();
    const values = { name: 'Manutenzione annuale' };
    const stranger = await server.make.user();
    const theirs = await server.make.project(stranger, values);
    const [first, last] = [await server.make.project(user, values), await server.make.project(user, values)];
    const other = await server.make.project(user, { name: 'Altro cantiere' });
    for (const [projectId, linked] of [
      [first.id, first.id],
      [undefined, last.id],
      // Neither a project of somebody else nor one of another name.
      [theirs.id, last.id],
      [other.id, last.id],
    ]) {
      const request = await create(server, user, { progetto: values.name, projectId });
      expect([projectId, request.projectId]).toEqual([projectId, linked]);
    }
  });

  test('names its project as it is called now, and no more once that is deleted', async ({ server }) => {
    const user = await server.make.user();
    const { id: projectId, name } = await server.make.project(user);
    const { id, progetto, projectName } = await create(server, user, { progetto: name });
    expect([progetto, projectName]).toEqual([name, name]);
    const { api } = await server.as(user);
    const read = async () => (await api['trip-requests'][':id'].$get({ param: { id: String(id) } })).json();
    await server.make.sql("update projects set name = 'Diga di Ravedis' where id = $1", [projectId]);
    expect(await read()).toMatchObject({ progetto: name, projectId, projectName: 'Diga di Ravedis' });
    await server.make.sql('delete from projects where id = $1', [projectId]);
    expect(await read()).toMatchObject({ progetto: name, projectId: null, projectName: null });
  });

  test('is linked to a project whose stored name has irregular white space', async ({ server }) => {
    const user = await server.make.user();
    const project = await server.make.project(user, { name: 'Cantiere  Nord\u00a0Est' });
    const request = await create(server, user, { progetto: project.name });
    expect([request.projectId, request.progetto]).toEqual([project.id, 'Cantiere Nord Est']);
  });

  test('is not linked to a project being deleted at that moment', async ({ server }) => {
    const user = await server.make.user();
    const project = await server.make.project(user, { name: 'Centrale di Cassano' });
    const request = await duringTransaction(
      server,
      ['delete from projects where id = $1', [project.id]],
      1,
      () => create(server, user, { progetto: project.name }),
    );
    expect([request.projectId, request.progetto]).toEqual([null, project.name]);
  });

  test('drops the accommodation preference unless both kinds are requested', async ({ server }) => {
    const user = await server.make.user();
    const request = await create(server, user, { alloggio: 'hotel', preferenzaAlloggio: 'appartamento' });
    expect(request.preferenzaAlloggio).toBeNull();
  });

  test('is created once per customer and idempotency key', async ({ server }) => {
    const user = await server.make.user();
    const key = '3f0a3f4e-5b0c-4b39-9a39-b5f6f2f9a001';
    const city = { ...minimal, citta: 'Melilli' };
    const answers = await Promise.all([1, 2, 3].map(() => send(server, user, city, key)));
    const ids = await Promise.all(
      answers.map(async (answer) => tripRequestDetailSchema.parse(await answer.json()).id),
    );
    expect(new Set(ids).size).toBe(1);
    const { rows: messages } = await server.make.sql(
      "select kind from mail_messages where subject like '%Melilli%' order by kind",
    );
    expect(messages).toEqual([{ kind: 'trip_request' }, { kind: 'trip_request_confirmation' }]);
    await server.mailbox.received('Nuova Richiesta Trasferta - Melilli');
    const other = await server.make.user();
    const elsewhere = { ...minimal, citta: 'Augusta' };
    const theirs = tripRequestDetailSchema.parse(await (await send(server, other, elsewhere, key)).json());
    expect(ids).not.toContain(theirs.id);
  });

  test('is confirmed by a mail that greets the author by name, but not another contact', async ({
    server,
  }) => {
    const user = await server.make.user({ fullName: 'Elena Righi' });
    await create(server, user, { citta: 'Gallipoli', email: user.email });
    const own = await server.mailbox.received('Abbiamo ricevuto la richiesta - Gallipoli');
    expect(own.replyTo?.map(({ address }) => address)).toEqual([provider.support.email]);
    expect(own.text).toContain('Ciao Elena Righi, la tua richiesta è stata presa in carico.');
    await create(server, user, { citta: 'Nardò' });
    const copy = await server.mailbox.received('Abbiamo ricevuto la richiesta - Nardò');
    expect(copy.to).toEqual([{ address: minimal.email, name: '' }]);
    expect(copy.text).not.toContain('tua richiesta');
    expect(copy.text).toContain(
      'Ciao, la richiesta è stata presa in carico, con questo indirizzo come contatto.',
    );
  });

  test.for([
    ['citta', '  ', 'La città è obbligatoria'],
    ['posizione', undefined, 'La posizione del sito di lavoro è obbligatoria'],
    ['dataInizio', '31/02/2026', 'Data non valida. Usa il formato gg/mm/aaaa.'],
    ['dataInizio', '2026-02-31', 'Data non valida. Usa il formato gg/mm/aaaa.'],
    ['dataInizio', '2200-01-01', 'L’anno deve essere tra il 1900 e il 2199.'],
    ['dataFine', addDays(start, -1), 'La data di fine non può precedere la data di inizio'],
    ['progetto', '', 'Il nome del progetto è obbligatorio'],
    ['progetto', 'x'.repeat(121), 'Al massimo 120 caratteri'],
    ['ragione', null, 'La ragione della trasferta è obbligatoria'],
    ['numeroDipendenti', 0, 'Serve almeno una persona'],
    ['numeroDipendenti', 1.5, 'Inserisci un numero intero'],
    ['numeroDipendenti', 5001, 'Al massimo 5.000'],
    ['budget', -1, 'Il budget non può essere negativo'],
    ['telefono', ' ', 'Il numero di telefono è obbligatorio'],
    ['email', 'senza-chiocciola', 'Indirizzo email non valido'],
    ['email', 'a@b.it\r\nBcc: tutti@example.com', 'Indirizzo email non valido'],
    ['stato', 'Confermata', 'Campo non previsto: stato'],
  ] as const)(
    'is refused when %s is %j, with a message on that field',
    async ([field, value, message], { server }) => {
      refused ??= server.make.user();
      const user = await refused;
      const response = await send(server, user, { ...minimal, [field]: value });
      expect(response.status).toBe(422);
      expect(await fieldsOf(response)).toEqual({ [field]: message });
      const { api } = await server.as(user);
      expect(await (await api['trip-requests'].$get({ query: {} })).json()).toMatchObject({ total: 0 });
    },
  );

  test('is refused with all invalid fields at once, including an end date before the start', async ({
    server,
  }) => {
    const user = await server.make.user();
    const response = await send(server, user, {
      ...minimal,
      citta: '',
      dataFine: addDays(start, -3),
      camere: { singole: -1 },
    });
    expect(Object.keys(await fieldsOf(response)).sort()).toEqual(['camere.singole', 'citta', 'dataFine']);
  });
});

describe("a customer's trip requests", () => {
  test('are listed newest first in pages, and can be searched and filtered', async ({ server }) => {
    const user = await server.make.user();
    for (const citta of ['Forlì', 'Cesena', 'Forlimpopoli']) await create(server, user, { citta });
    const { api } = await server.as(user);
    const first = await (await api['trip-requests'].$get({ query: { limit: '2' } })).json();
    expect([first.items.map((item) => item.citta), first.total]).toEqual([['Forlimpopoli', 'Cesena'], 3]);
    const next = { limit: '2', cursor: first.nextCursor ?? '' };
    const second = await (await api['trip-requests'].$get({ query: next })).json();
    expect([second.items.map((item) => item.citta), second.nextCursor]).toEqual([['Forlì'], null]);
    const found = await (await api['trip-requests'].$get({ query: { search: 'FORLI' } })).json();
    expect(found.items.map((item) => item.citta)).toEqual(['Forlimpopoli', 'Forlì']);
    for (const [search, cities] of [
      [`${first.items[0]?.progetto} forlim`, ['Forlimpopoli']],
      ['forlimpopoli cesena', []],
    ] as const) {
      const both = await (await api['trip-requests'].$get({ query: { search } })).json();
      expect([search, both.items.map((item) => item.citta)]).toEqual([search, cities]);
    }
    const none = await (await api['trip-requests'].$get({ query: { state: 'Confermata' } })).json();
    expect(none).toEqual({ items: [], nextCursor: null, total: 0 });
  });

  test('are found by the present name of their project, too', async ({ server }) => {
    const user = await server.make.user();
    const project = await server.make.project(user, { name: minimal.progetto });
    await create(server, user);
    await create(server, user, { citta: 'Cervia', progetto: 'Un altro' });
    await server.make.sql('update projects set name = $2 where id = $1', [project.id, 'Turbina Nord']);
    const { api } = await server.as(user);
    for (const search of ['turbina nord', 'ravenna turbina', minimal.progetto]) {
      const found = await (await api['trip-requests'].$get({ query: { search } })).json();
      expect([search, found.items.map(({ citta }) => citta), found.total]).toEqual([search, ['Ravenna'], 1]);
    }
  });

  test('are listed by their project, whatever else is called like it', async ({ server }) => {
    const user = await server.make.user();
    await create(server, user, { citta: 'Ostia', progetto: 'roma' });
    await create(server, user, { citta: 'Roma', progetto: 'Sede' });
    const project = await server.make.project(user, { name: 'Roma' });
    for (const citta of ['Fiumicino', 'Tivoli']) await create(server, user, { citta, progetto: 'Roma' });
    await server.make.sql('update projects set name = $2 where id = $1', [project.id, 'Turbina']);
    await create(server, user, { citta: 'Latina', progetto: 'Turbina' });
    const namesake = await server.make.project(user, { name: 'Roma' });
    const { api } = await server.as(user);
    const listed = async (query: Record<string, string>, asked = api) => {
      const page = await (await asked['trip-requests'].$get({ query })).json();
      return { ...page, items: page.items.map(({ citta }) => citta) };
    };
    const projectId = String(project.id);
    const first = await listed({ projectId, limit: '2' });
    expect(first).toMatchObject({ items: ['Latina', 'Tivoli'], total: 3 });
    const rest = { items: ['Fiumicino'], nextCursor: null, total: 3 };
    expect(await listed({ projectId, limit: '2', cursor: first.nextCursor ?? '' })).toEqual(rest);
    expect(await listed({ projectId, search: 'tivoli' })).toMatchObject({ items: ['Tivoli'], total: 1 });
    expect(await listed({ projectId, state: 'Confermata' })).toMatchObject({ items: [], total: 0 });
    // Sent before there was a project of its name.
    expect(await listed({ projectId: String(namesake.id) })).toMatchObject({ items: ['Ostia'], total: 1 });

    const none = { items: [], nextCursor: null, total: 0 };
    const stranger = await server.make.user();
    await create(server, stranger, { progetto: 'Turbina' });
    for (const other of [stranger, await server.make.user({ role: 'admin' })])
      expect(await listed({ projectId }, (await server.as(other)).api)).toEqual(none);
    const theirs = await server.make.project(stranger, { name: 'Sede' });
    expect(await listed({ projectId: String(theirs.id) })).toEqual(none);
  });

  test('cannot be read or withdrawn by anybody else', async ({ server }) => {
    const owner = await server.make.user();
    const request = await create(server, owner);
    const stranger = await server.as(await server.make.user());
    const param = { id: String(request.id) };
    expect((await stranger.api['trip-requests'][':id'].$get({ param })).status).toBe(404);
    const withdrawal = await stranger.api['trip-requests'][':id'].withdrawal.$post({ param, json: {} });
    expect(withdrawal.status).toBe(404);
    expect(await (await stranger.api['trip-requests'].$get({ query: {} })).json()).toMatchObject({
      total: 0,
    });
    const nobody = server.anonymous();
    expect((await nobody.api['trip-requests'][':id'].$get({ param })).status).toBe(401);
    const mine = await (await server.as(owner)).api['trip-requests'][':id'].$get({ param });
    expect(await mine.json()).toMatchObject({ state: 'Inviata' });
  });

  test("do not appear among an administrator's own requests", async ({ server }) => {
    const request = await create(server, await server.make.user());
    const admin = await server.make.user({ role: 'admin' });
    const { api } = await server.as(admin);
    const list = async () => (await api['trip-requests'].$get({ query: {} })).json();
    expect(await list()).toMatchObject({ items: [], total: 0 });
    const param = { id: String(request.id) };
    expect((await api['trip-requests'][':id'].$get({ param })).status).toBe(404);
    const withdrawal = await api['trip-requests'][':id'].withdrawal.$post({ param, json: {} });
    expect(withdrawal.status).toBe(404);
    const own = await create(server, admin);
    expect(await list()).toMatchObject({ items: [{ id: own.id }], total: 1 });
  });

  test('can be withdrawn once, and the provider is mailed the reason', async ({ server }) => {
    const user = await server.make.user();
    const request = await create(server, user, { citta: 'Priolo Gargallo' });
    const { api } = await server.as(user);
    const param = { id: String(request.id) };
    const withdraw = () =>
      api['trip-requests'][':id'].withdrawal.$post({ param, json: { note: 'Il cantiere è rinviato.' } });
    const withdrawn = await (await withdraw()).json();
    expect(withdrawn).toMatchObject({
      state: 'Annullata',
      canWithdraw: false,
      events: [
        { state: 'Inviata' },
        { state: 'Annullata', note: 'Il cantiere è rinviato.', author: 'customer' },
      ],
    });
    // Repeated after a lost response or from another tab: the message must not ask the customer to call.
    expect(await errorOf(await withdraw())).toMatchObject({ status: 409, code: 'trip_request_withdrawn' });
    const mail = await server.mailbox.received('Richiesta Trasferta annullata - Priolo Gargallo');
    expect(mail.text).toContain('MOTIVO\nIl cantiere è rinviato.');
    expect(mail.to?.map((to) => to.address)).toEqual(server.services.env.requestsTo);
  });

  test('is not withdrawn when the provider confirms it at that moment', async ({ server }) => {
    const user = await server.make.user();
    const { id } = await server.make.tripRequest(user, { state: 'Proposta inviata' });
    const { ':id': one } = (await server.as(user)).api['trip-requests'];
    const param = { id: String(id) };
    const answer = await duringTransaction(
      server,
      ["update trip_requests set state = 'Confermata' where id = $1", [id]],
      1,
      () => one.withdrawal.$post({ param, json: {} }),
    );
    expect(await errorOf(answer)).toMatchObject({ status: 409, code: 'trip_request_not_withdrawable' });
    expect(await (await one.$get({ param })).json()).toMatchObject({ state: 'Confermata' });
  });

  test('can be withdrawn until it is confirmed', async ({ server }) => {
    const user = await server.make.user();
    const { api } = await server.as(user);
    const answers = [];
    for (const state of TRIP_REQUEST_STATES) {
      const param = { id: String((await server.make.tripRequest(user, { state })).id) };
      const { canWithdraw } = await (await api['trip-requests'][':id'].$get({ param })).json();
      const answer = await api['trip-requests'][':id'].withdrawal.$post({ param, json: {} });
      answers.push([state, canWithdraw, answer.ok ? 'withdrawn' : (await errorOf(answer)).code]);
    }
    expect(answers).toEqual([
      ['Inviata', true, 'withdrawn'],
      ['In lavorazione', true, 'withdrawn'],
      ['Proposta inviata', true, 'withdrawn'],
      ['Confermata', false, 'trip_request_not_withdrawable'],
      ['Annullata', false, 'trip_request_withdrawn'],
    ]);
  });
});

describe('an administrator of trip requests', () => {
  test("finds every customer's requests by company and city", async ({ server }) => {
    const user = await server.make.user({ companyName: 'Officine Galvaniche Sarde' });
    await create(server, user, { citta: 'Portovesme' });
    const { api } = await server.as(await server.make.user({ role: 'admin' }));
    for (const search of ['galvaniche', 'sarde OFFICINE', 'portovesme  sarde', 'sarde officine portovesme']) {
      const found = await (await api.admin['trip-requests'].$get({ query: { search } })).json();
      expect([search, found]).toMatchObject([
        search,
        {
          total: 1,
          items: [
            { citta: 'Portovesme', customer: { id: user.id, companyName: 'Officine Galvaniche Sarde' } },
          ],
        },
      ]);
    }
    const query = { search: 'sarde officine cagliari' };
    expect((await (await api.admin['trip-requests'].$get({ query })).json()).total).toBe(0);
  });

  test('lists the requests of one customer, whoever else has their address in another', async ({
    server,
  }) => {
    const user = await server.make.user();
    await create(server, user, { citta: 'Ostuni' });
    const namesake = await server.make.user({ email: `anna.${user.email}` });
    await create(server, namesake, { citta: 'Fasano' });
    for (const citta of ['Cisternino', 'Locorotondo']) await create(server, user, { citta });
    const { api } = await server.as(await server.make.user({ role: 'admin' }));
    const listed = async (query: Record<string, string>) => {
      const page = await (await api.admin['trip-requests'].$get({ query })).json();
      return { ...page, items: page.items.map(({ citta }) => citta) };
    };
    const first = await listed({ userId: user.id, limit: '2' });
    expect(first).toMatchObject({ items: ['Locorotondo', 'Cisternino'], total: 3 });
    const rest = { items: ['Ostuni'], nextCursor: null, total: 3 };
    expect(await listed({ userId: user.id, limit: '2', cursor: first.nextCursor ?? '' })).toEqual(rest);
    expect(await listed({ userId: user.id, search: 'ostuni' })).toMatchObject({
      items: ['Ostuni'],
      total: 1,
    });
    expect(await listed({ userId: user.id, search: 'fasano' })).toMatchObject({ items: [], total: 0 });
    expect(await listed({ userId: user.id, state: 'Confermata' })).toMatchObject({ items: [], total: 0 });
    expect(await listed({ userId: 'nobody' })).toEqual({ items: [], nextCursor: null, total: 0 });
  });

  test('sets a state with a note, which the customer sees in the app and by mail', async ({ server }) => {
    const user = await server.make.user();
    const admin = await server.make.user({ role: 'admin', fullName: 'Marta Operazioni' });
    const request = await create(server, user, { citta: 'Sannazzaro' });
    const { api } = await server.as(admin);
    const param = { id: String(request.id) };
    const json = {
      from: 'Inviata',
      state: 'Proposta inviata',
      note: 'Tre soluzioni a 4 km dal sito.',
    } as const;
    const header = {};
    const changed = await api.admin['trip-requests'][':id']['state-changes'].$post({ param, header, json });
    expect(await changed.json()).toMatchObject({
      state: 'Proposta inviata',
      customer: { id: user.id },
      events: [{}, { author: 'provider', authorName: 'Marta Operazioni', note: json.note }],
    });
    const again = await api.admin['trip-requests'][':id']['state-changes'].$post({ param, header, json });
    expect(again.status).toBe(409);

    const own = await (await server.as(user)).api['trip-requests'][':id'].$get({ param });
    expect(await own.json()).toMatchObject({
      state: 'Proposta inviata',
      events: [{ author: 'customer' }, { author: 'provider', authorName: null, note: json.note }],
    });
    const mail = await server.mailbox.received('Proposta inviata: la richiesta per Sannazzaro');
    expect(mail.to).toEqual([{ address: minimal.email, name: '' }]);
    expect(mail.text).not.toContain('tua richiesta');
    expect(mail.text).toContain('- Nuovo stato: Proposta inviata\n- Nota: Tre soluzioni a 4 km dal sito.');
    expect(mail.text).toContain(NEXT_STEP['Proposta inviata']);

    const noted = { from: json.state, state: json.state, note: 'Ne arriva una quarta.' };
    await api.admin['trip-requests'][':id']['state-changes'].$post({ param, header, json: noted });
    const message = await server.mailbox.received('Un messaggio sulla richiesta per Sannazzaro');
    expect(message.text).toContain('- Stato: Proposta inviata\n- Nota: Ne arriva una quarta.');
    expect(message.text).not.toContain(NEXT_STEP['Proposta inviata']);
  });

  test('changes the state once when the same key is sent again', async ({ server }) => {
    const user = await server.make.user();
    const request = await create(server, user, { citta: 'Carloforte' });
    const { api } = await server.as(await server.make.user({ role: 'admin' }));
    const send = (key: string, json: StateChange) =>
      api.admin['trip-requests'][':id']['state-changes'].$post({
        param: { id: String(request.id) },
        header: { 'idempotency-key': key },
        json,
      });
    const key = randomUUID();
    const json = { from: 'Inviata', state: 'Confermata', note: 'Partite alle sei.' } as const;
    const twins = await Promise.all([1, 2].map(() => send(key, json)));
    expect(twins.map(({ status }) => status)).toEqual([200, 200]);
    // By then, the browser may have loaded the new state.
    const again = await send(key, { ...json, from: 'Confermata' });
    expect(await again.json()).toMatchObject({ events: [{ state: 'Inviata' }, { note: json.note }] });
    expect((await send(key, { ...json, note: 'Partite alle sette.' })).status).toBe(422);
    const mails = await server.make.sql('select from mail_messages where subject like $1', [
      'Confermata: la richiesta per Carloforte%',
    ]);
    expect(mails.rows).toHaveLength(1);
    // The same note under another key is a new message.
    await send(randomUUID(), { ...json, from: 'Confermata' });
    const message = await server.mailbox.received('Un messaggio sulla richiesta per Carloforte');
    expect(message.text).toContain(`- Stato: Confermata\n- Nota: ${json.note}`);
    const own = await (await server.as(user)).api['trip-requests'][':id'].$get({
      param: { id: String(request.id) },
    });
    expect(await own.json()).toMatchObject({ events: [{}, { note: json.note }, { note: json.note }] });
  });

  test('does not confirm a request that its customer withdraws at that moment', async ({ server }) => {
    const { id } = await server.make.tripRequest(await server.make.user(), { state: 'Inviata' });
    const { api } = await server.as(await server.make.user({ role: 'admin' }));
    const answer = await duringTransaction(
      server,
      ["update trip_requests set state = 'Annullata' where id = $1", [id]],
      1,
      () =>
        api.admin['trip-requests'][':id']['state-changes'].$post({
          param: { id: String(id) },
          header: {},
          json: { from: 'Inviata', state: 'Confermata' },
        }),
    );
    expect(await errorOf(answer)).toMatchObject({ status: 409, code: 'conflict' });
  });

  test('and the customer have every message about a request sent once, as the data of that customer', async ({
    server,
  }) => {
    const user = await server.make.user();
    const { id } = await create(server, user, { citta: 'Portoscuso' });
    const param = { id: String(id) };
    const admin = await server.as(await server.make.user({ role: 'admin' }));
    await admin.api.admin['trip-requests'][':id']['state-changes'].$post({
      param,
      header: {},
      json: { from: 'Inviata', state: 'In lavorazione' },
    });
    await (await server.as(user)).api['trip-requests'][':id'].withdrawal.$post({ param, json: {} });
    const { rows } = await server.make.sql(
      `select kind, user_id as owner, recipients, reply_to as "replyTo" from mail_messages
       where subject like '%Portoscuso%' order by kind`,
    );
    const provided = { owner: user.id, recipients: [minimal.email], replyTo: provider.support.email };
    const asked = { owner: user.id, recipients: server.services.env.requestsTo, replyTo: minimal.email };
    expect(rows).toEqual([
      { kind: 'trip_request', ...asked },
      { kind: 'trip_request_confirmation', ...provided },
      { kind: 'trip_request_state', ...provided },
      { kind: 'trip_request_withdrawal', ...asked },
    ]);
  });

  test('must change the state or add a note', async ({ server }) => {
    const user = await server.make.user();
    const request = await create(server, user);
    const { api } = await server.as(await server.make.user({ role: 'admin' }));
    const answer = await api.admin['trip-requests'][':id']['state-changes'].$post({
      param: { id: String(request.id) },
      header: {},
      json: { from: 'Inviata', state: 'Inviata' },
    });
    expect(answer.status).toBe(422);
  });

  test('is the only role allowed: a customer and the invoice administrator are refused', async ({
    server,
  }) => {
    const user = await server.make.user();
    const request = await create(server, user);
    const param = { id: String(request.id) };
    const json = { from: 'Inviata', state: 'Confermata' } as const;
    for (const other of [user, await server.make.invoiceAdmin()]) {
      const { api } = await server.as(other);
      expect((await api.admin['trip-requests'].$get({ query: {} })).status).toBe(403);
      expect((await api.admin['trip-requests'][':id'].$get({ param })).status).toBe(403);
      const change = await api.admin['trip-requests'][':id']['state-changes'].$post({
        param,
        header: {},
        json,
      });
      expect(change.status).toBe(403);
    }
  });
});
