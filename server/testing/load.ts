import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { addDays, todayInRome } from '#contract/dates.ts';
import { invoiceSchema } from '#contract/invoices.ts';
import type { FileStore } from '#server/files/store.ts';
import { createVisitor, signIn, type Visitor } from './client.ts';
import type { Factories } from './factories.ts';
import { totalMismatches } from './invoice-facts.ts';
import { invoiceForm, pdfFile } from './invoice-form.ts';
import type { Mailbox } from './mailbox.ts';
import { until } from './until.ts';

/** The values an invoice may have: one each if its last change was acknowledged, several if not. */
type KnownInvoice = { number: string; contents: Set<string>; statuses: Set<string>; existence: Set<boolean> };

/** What was requested, and what was acknowledged. */
export type Ledger = {
  operations: number;
  acknowledged: number;
  /** Answered with a server error, or not at all. */
  unanswered: number;
  /** Answers that no fault explains, such as a 4xx to valid input. */
  unexpected: string[];
  projects: { id: number; name: string }[];
  employees: { id: number; name: string }[];
  /** City of each accepted trip request, by its Idempotency-Key. */
  tripRequests: Map<string, string>;
  contactRequests: string[];
  /** By Idempotency-Key. */
  invoices: Map<string, KnownInvoice>;
};

/** An empty ledger. */
export function emptyLedger(): Ledger {
  return {
    operations: 0,
    acknowledged: 0,
    unanswered: 0,
    unexpected: [],
    projects: [],
    employees: [],
    tripRequests: new Map(),
    contactRequests: [],
    invoices: new Map(),
  };
}

/** A valid trip request, recognised by its city. */
export function tripRequestOf(citta: string, email: string) {
  const day = addDays(todayInRome(), 30);
  return {
    citta,
    posizione: 'Cantiere',
    dataInizio: day,
    dataFine: day,
    progetto: 'Prova',
    ragione: 'Prova',
    alloggio: 'hotel',
    telefono: '1',
    email,
  };
}

/** Mixed load on one or more processes of the product. */
export type Load = {
  ledger: Ledger;
  /** Waits until `count` further operations are acknowledged. */
  progress(count: number): Promise<void>;
  stop(): Promise<Ledger>;
};

/** How long a caller waits for an answer, and before a retry, in milliseconds. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

/** A PDF that contains its own name, to recognise it. */
function marked(marker: string): File {
  return pdfFile(new TextEncoder().encode(`%PDF-1.7\n${marker}\n`.padEnd(30_000, ' ')));
}

/**
 * Starts customers who create projects, workers and requests, and an office that creates, changes and deletes invoices with
 * their PDFs. Each makes one request at a time, and repeats it with the same key if no answer came.
 *
 * @param origins addresses of the processes; callers use them in turn, as behind a balancer
 */
export async function startLoad(origins: string[], make: Factories, callers = 4): Promise<Load> {
  const ledger = emptyLedger();
  const stopping = new AbortController();
  const [first = ''] = origins;
  const clerk = await signIn(createVisitor(first), await make.invoiceAdmin(), { remember: true });
  const customers = await Promise.all(
    Array.from({ length: callers }, async () => {
      const customer = await make.user();
      return {
        customer,
        visitor: await signIn(createVisitor(first), customer, { remember: true }),
        project: await make.project(customer),
      };
    }),
  );

  let turn = 0;
  /** One request; null when there was no answer, or one that asks for a retry. */
  const call = async (visitor: Visitor, path: string, init: RequestInit): Promise<Response | null> => {
    ledger.operations += 1;
    turn += 1;
    const origin = origins[turn % origins.length] ?? first;
    try {
      const answer = await visitor.request(`${origin}${path}`, {
        ...init,
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: { ...init.headers, Origin: first },
      });
      if (answer.status < 500) {
        if (answer.ok) ledger.acknowledged += 1;
        else ledger.unexpected.push(`${init.method} ${path}: ${answer.status} ${await answer.text()}`);
        return answer;
      }
      await answer.body?.cancel();
    } catch {
      // The connection broke: it is unknown whether the operation was done.
    }
    ledger.unanswered += 1;
    await pause(PAUSE_MS);
    return null;
  };
  const send = (visitor: Visitor, path: string, body: object, key?: string, method = 'POST') =>
    call(visitor, path, {
      method,
      headers: { 'Content-Type': 'application/json', ...(key && { 'Idempotency-Key': key }) },
      body: JSON.stringify(body),
    });
  /** Repeats a request with its key until it is answered, or the load ends. */
  const insist = async (attempt: () => Promise<Response | null>): Promise<Response | null> => {
    for (;;) {
      const answer = await attempt();
      if (answer || stopping.signal.aborted) return answer;
    }
  };

  const works = customers.map(async ({ customer, visitor, project }) => {
    const mine: KnownInvoice[] = [];
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      const name = `Prova ${randomUUID()}`;
      const created = await send(visitor, '/api/projects', { name, location: 'Ravenna' });
      if (created?.ok) ledger.projects.push({ id: await idOf(created), name });
      const worker = await send(visitor, '/api/employees', { name, surname: 'Rossi', role: 'Tecnico' });
      if (worker?.ok) ledger.employees.push({ id: await idOf(worker), name: `${name} Rossi` });

      const key = randomUUID();
      const trip = tripRequestOf(`Città ${key}`, customer.email);
      const accepted = await insist(() => send(visitor, '/api/trip-requests', trip, key));
      if (accepted?.ok) ledger.tripRequests.set(key, trip.citta);
      const contact = { nome: 'Anna', cognome: randomUUID(), telefono: '1', preferenzaContatto: 'telefono' };
      const left = await send(createVisitor(first), '/api/contact-requests', contact);
      if (left?.ok) ledger.contactRequests.push(contact.cognome);
      await call(visitor, '/api/invoices', { method: 'GET' });

      const marker = randomUUID();
      const body = () => invoiceForm({ userId: customer.id, projectId: project.id, file: marked(marker) });
      const invoiced = await insist(() =>
        call(clerk, '/api/admin/invoices', {
          method: 'POST',
          headers: { 'Idempotency-Key': marker },
          body: body(),
        }),
      );
      if (invoiced?.ok) {
        const { number } = invoiceSchema.parse(await invoiced.json());
        const known: KnownInvoice = {
          number,
          contents: new Set([marker]),
          statuses: new Set(['Da Pagare']),
          existence: new Set([true]),
        };
        ledger.invoices.set(marker, known);
        mine.push(known);
      }
      const subject = mine.at(round % 3 === 0 ? -1 : 0);
      if (subject) await change(clerk, subject, round);
    }

    async function change(office: Visitor, invoice: KnownInvoice, round: number): Promise<void> {
      const path = `/api/admin/invoices/${invoice.number}`;
      if (round % 4 === 3) {
        invoice.existence.add(false);
        mine.splice(mine.indexOf(invoice), 1);
        const deleted = await call(office, path, { method: 'DELETE' });
        if (deleted?.ok) invoice.existence.delete(true);
        return;
      }
      const marker = randomUUID();
      const body = new FormData();
      body.append('file', marked(marker));
      invoice.contents.add(marker);
      const replaced = await call(office, `${path}/file`, { method: 'PUT', body });
      if (replaced?.ok) invoice.contents = new Set([marker]);
      const status = round % 2 === 0 ? 'Pagata' : 'Da Pagare';
      invoice.statuses.add(status);
      const marking = { numbers: [invoice.number], status };
      const accepted = await send(office, '/api/admin/invoices/status', marking, undefined, 'PUT');
      if (accepted?.ok) invoice.statuses = new Set([status]);
    }
  });

  return {
    ledger,
    async progress(count) {
      const goal = ledger.acknowledged + count;
      await until('the load to make progress', () => ledger.acknowledged >= goal, 120);
    },
    async stop() {
      stopping.abort();
      await Promise.all(works);
      return ledger;
    },
  };
}

async function idOf(answer: Response): Promise<number> {
  const { id } = (await answer.json()) as { id: number };
  return id;
}

/** Differences between the records and what was acknowledged. All lists are empty when nothing was lost. */
export type Losses = {
  lost: string[];
  duplicates: string[];
  totals: string[];
  files: string[];
  undelivered: string[];
};

/** Compares the ledger with the database, the file store and the mailbox, once the mail has been sent. */
export async function findLosses(
  { projects, employees, tripRequests, contactRequests, invoices }: Ledger,
  { make, files, mailbox }: { make: Factories; files: FileStore; mailbox: Pick<Mailbox, 'messages'> },
): Promise<Losses> {
  const losses: Losses = { lost: [], duplicates: [], totals: [], files: [], undelivered: [] };
  const rowsOf = async <Row>(sql: string, values: unknown[] = []) =>
    (await make.sql<Row & Record<string, unknown>>(sql, values)).rows;

  for (const [table, made] of Object.entries({ projects, employees })) {
    const found = await rowsOf<{ id: string; name: string }>(
      `select id::text, name from ${table} where id = any ($1)`,
      [made.map(({ id }) => id)],
    );
    const names = new Map(found.map(({ id, name }) => [Number(id), name]));
    for (const { id, name } of made) if (names.get(id) !== name) losses.lost.push(`${table} ${name}`);
  }

  const trips = await rowsOf<{ key: string; count: number }>(
    'select idempotency_key::text as key, count(*)::int as count from trip_requests group by 1',
  );
  const counts = new Map(trips.map(({ key, count }) => [key, count]));
  for (const key of tripRequests.keys()) {
    if (!counts.has(key)) losses.lost.push(`trip request ${key}`);
    if ((counts.get(key) ?? 0) > 1) losses.duplicates.push(`trip request ${key}`);
  }

  const rows = await rowsOf<{ key: string; number: string; status: string; path: string }>(
    'select idempotency_key::text as key, invoice_number as number, status, file_url as path from invoices',
  );
  const byKey = Map.groupBy(rows, ({ key }) => key);
  for (const [key, { number, contents, statuses, existence }] of invoices) {
    const found = byKey.get(key) ?? [];
    if (found.length > 1) losses.duplicates.push(`invoice ${key}`);
    const [row] = found;
    if (!existence.has(row !== undefined)) {
      losses.lost.push(`invoice ${number} ${row ? 'came back' : 'is gone'}`);
    } else if (row && (row.number !== number || !statuses.has(row.status))) {
      losses.lost.push(`invoice ${number} is ${row.number}, ${row.status}`);
    } else if (row) {
      const file = await files.open(row.path);
      const content = file ? (await text(file.read())).split('\n')[1] : undefined;
      if (content === undefined || !contents.has(content)) losses.files.push(`the file of ${number}`);
    }
  }
  losses.totals = (await totalMismatches({ make })).map(({ what }) => what);

  const expected = [
    ...[...tripRequests.values()].flatMap((city) => [
      `Nuova Richiesta Trasferta - ${city}`,
      `Abbiamo ricevuto la richiesta - ${city}`,
    ]),
    ...contactRequests,
  ];
  const missing = async () => {
    const messages = await mailbox.messages();
    const texts = messages.map(({ subject, text: body }) => `${subject}\n${body}`).join('\n');
    return expected.filter((wanted) => !texts.includes(wanted));
  };
  await until('the mail to be sent', async () => (await missing()).length === 0, 90).catch(() => undefined);
  losses.undelivered.push(...(await missing()));
  return losses;
}
