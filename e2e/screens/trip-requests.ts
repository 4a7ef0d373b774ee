import type { Page } from '@playwright/test';
import { addDays, formatDate, todayInRome } from '#contract/dates.ts';
import { type ManagedTripRequestSummary, TRIP_REQUEST_STATES } from '#contract/trip-requests.ts';
import { firstPage, LONGEST } from '../support/extremes.ts';
import { answerWrites, failToAnswer, leaveUnanswered, type Screen, waitForError } from '../support/screen.ts';

const wizard = '/app/nuova-trasferta';
const start = addDays(todayInRome(), 30);
const list = `${wizard}/richieste`;
const management = '/app/gestione-richieste';

async function fillBasics(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Città' }).fill('Priolo Gargallo');
  await page
    .getByRole('textbox', { name: 'Posizione Esatta del Sito di Lavoro' })
    .fill('Stabilimento ovest, portineria 2');
  await page.getByRole('textbox', { name: 'Data di Inizio' }).fill(formatDate(start));
  await page.getByRole('textbox', { name: 'Data di Fine' }).fill(formatDate(addDays(start, 18)));
  await page.getByRole('combobox', { name: 'Nome del Progetto' }).fill('Fermata impianto etilene');
  await page.getByRole('textbox', { name: 'Ragione della Trasferta' }).fill('Manutenzione programmata');
  await page.getByRole('textbox', { name: 'Numero di Persone' }).fill('12');
}

function toStep(step: number): (page: Page) => Promise<void> {
  return async (page) => {
    await fillBasics(page);
    for (let current = 1; current < step; current += 1) {
      await page.getByRole('button', { name: 'Continua' }).click();
      await page.getByText(`Step ${current + 1} di 4`).waitFor();
    }
  };
}

async function send(page: Page): Promise<void> {
  await toStep(4)(page);
  await page.getByRole('textbox', { name: 'Numero di Telefono' }).fill('+39 333 1234567');
  await page.getByRole('button', { name: 'Invia Richiesta' }).click();
}

const today = todayInRome();

function requestOf(index: number): ManagedTripRequestSummary {
  const long = index % 3 === 0;
  return {
    id: 100_000 + index,
    state: TRIP_REQUEST_STATES[index % TRIP_REQUEST_STATES.length] ?? 'Inviata',
    citta: long ? 'San Giovanni Rotondo e Monte Sant’Angelo, stabilimenti est e ovest' : 'Bra',
    progetto: long ? LONGEST.project : 'Viadotto',
    dataInizio: addDays(today, index),
    dataFine: addDays(today, index + 21),
    numeroDipendenti: long ? 1000 : 1,
    createdAt: `${addDays(today, -index)}T08:00:00.000Z`,
    customer: {
      id: 'longest',
      fullName: LONGEST.person,
      companyName: long ? LONGEST.company : null,
      email: 'massimiliano.bartolomeo.dellagherardesca@impresa-generale-costruzioni.example',
    },
  };
}

/** Answers both lists as if there were `count` requests, with the longest texts among them. */
function answerMany(count: number): (page: Page) => Promise<void> {
  return async (page) => {
    await page.route(/\/api\/(admin\/)?trip-requests(\?|$)/, (route) =>
      route.fulfill({ json: firstPage(count, requestOf) }),
    );
  };
}

const ofProject = `${list}?progetto=199999`;

/** Names the project of `ofProject`, which nobody has. */
async function nameProject(page: Page): Promise<void> {
  await page.route('**/api/projects/199999', (route) => route.fulfill({ json: { name: LONGEST.project } }));
}

export const screens: readonly Screen[] = [
  { name: 'trip-request-1', path: wizard, as: 'customer', prepare: fillBasics },
  {
    name: 'trip-request-1-errors',
    path: wizard,
    as: 'customer',
    prepare: (page) => page.getByRole('button', { name: 'Continua' }).click(),
  },
  {
    name: 'trip-request-1-calendar',
    path: wizard,
    as: 'customer',
    async prepare(page) {
      await page.getByRole('button', { name: 'Seleziona data: Data di Inizio' }).click();
      await page.getByRole('dialog').getByRole('table').waitFor();
    },
  },
  { name: 'trip-request-2', path: wizard, as: 'customer', prepare: toStep(2) },
  { name: 'trip-request-3', path: wizard, as: 'customer', prepare: toStep(3) },
  { name: 'trip-request-4', path: wizard, as: 'customer', prepare: toStep(4) },
  {
    name: 'trip-request-sent',
    path: wizard,
    as: 'customer',
    arrange: answerWrites('trip-requests', {
      status: 201,
      json: { id: 100_000, email: 'paola.galli@example.com' },
    }),
    async prepare(page) {
      await send(page);
      await page.getByText('Richiesta Inviata').waitFor();
    },
  },
  {
    name: 'trip-request-failed',
    path: wizard,
    as: 'customer',
    arrange: answerWrites('trip-requests', { status: 500 }),
    async prepare(page) {
      await send(page);
      await page
        .getByText("Si è verificato un errore durante l'invio della richiesta.", { exact: false })
        .waitFor();
    },
  },
  {
    name: 'trip-request-restored',
    path: wizard,
    as: 'customer',
    prepare: async (page) => {
      await fillBasics(page);
      await page.reload();
      await page.getByRole('button', { name: 'Ricomincia da capo' }).waitFor();
    },
  },
  {
    name: 'trip-request-restart',
    path: wizard,
    as: 'customer',
    prepare: async (page) => {
      await fillBasics(page);
      await page.reload();
      await page.getByRole('button', { name: 'Ricomincia da capo' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'trip-requests', path: list, as: 'customer' },
  {
    name: 'trip-requests-of-project',
    path: ofProject,
    as: 'customer',
    async arrange(page) {
      await nameProject(page);
      await answerMany(3)(page);
    },
  },
  {
    name: 'trip-requests-of-project-none',
    path: ofProject,
    as: 'customer',
    arrange: nameProject,
    prepare: (page) => page.getByText('Nessuna richiesta per questo progetto').last().waitFor(),
  },
  {
    name: 'trip-requests-nothing-found',
    path: `${list}?cerca=introvabile`,
    as: 'customer',
    prepare: (page) => page.getByText('Nessuna richiesta corrisponde alla ricerca').last().waitFor(),
  },
  { name: 'trip-requests-empty', path: list, as: 'newCustomer' },
  { name: 'trip-requests-loading', path: list, as: 'customer', arrange: leaveUnanswered('trip-requests') },
  {
    name: 'trip-requests-error',
    path: list,
    as: 'customer',
    arrange: failToAnswer('trip-requests'),
    prepare: waitForError,
  },
  {
    name: 'trip-requests-detail',
    path: list,
    as: 'customer',
    prepare: async (page) => {
      await page.getByRole('link', { name: /Apri la richiesta per Gela/ }).click();
      await page.getByRole('heading', { name: 'Trasferta a Gela' }).waitFor();
    },
  },
  {
    name: 'trip-requests-withdraw',
    path: list,
    as: 'customer',
    prepare: async (page) => {
      await page.getByRole('link', { name: /Apri la richiesta per Gela/ }).click();
      await page.getByRole('button', { name: 'Annulla richiesta' }).click();
    },
  },
  { name: 'trip-requests-management', path: management, as: 'admin' },
  {
    name: 'trip-requests-management-detail',
    path: management,
    as: 'admin',
    prepare: async (page) => {
      await page.getByRole('link', { name: /Gestisci la richiesta per Gela/ }).click();
      await page.getByRole('heading', { name: 'Trasferta a Gela' }).waitFor();
    },
  },
  { name: 'trip-requests-one', path: list, as: 'customer', arrange: answerMany(1) },
  {
    name: 'trip-requests-thousand',
    path: list,
    as: 'customer',
    arrange: answerMany(1000),
    prepare: (page) => page.getByText('25 di 1.000').waitFor(),
  },
  {
    name: 'trip-requests-detail-loading',
    path: `${list}/100000`,
    as: 'customer',
    arrange: leaveUnanswered('trip-requests'),
  },
  { name: 'trip-requests-detail-missing', path: `${list}/1`, as: 'customer' },
  {
    name: 'trip-requests-management-detail-loading',
    path: `${management}/100000`,
    as: 'admin',
    arrange: leaveUnanswered('admin/trip-requests'),
  },
  { name: 'trip-requests-management-detail-missing', path: `${management}/1`, as: 'admin' },
  {
    name: 'trip-requests-management-denied',
    path: management,
    as: 'customer',
    prepare: (page) => page.getByText('Accesso non autorizzato').waitFor(),
  },
  {
    name: 'trip-requests-management-one',
    path: management,
    as: 'admin',
    arrange: answerMany(1),
    prepare: (page) => page.getByText('1 di 1').waitFor(),
  },
  {
    name: 'trip-requests-management-of-customer',
    path: management,
    as: 'admin',
    prepare: async (page) => {
      await page.getByRole('link', { name: /Gestisci la richiesta per Gela/ }).click();
      await page.getByRole('link', { name: 'Tutte le sue richieste' }).click();
      await page.getByRole('button', { name: /^Cliente: \p{L}.*, togli il filtro$/u }).waitFor();
    },
  },
  { name: 'trip-requests-management-none', path: management, as: 'admin', arrange: answerMany(0) },
  {
    name: 'trip-requests-management-thousand',
    path: management,
    as: 'admin',
    arrange: answerMany(1000),
    prepare: (page) => page.getByText('25 di 1.000').waitFor(),
  },
  {
    name: 'trip-requests-management-loading',
    path: management,
    as: 'admin',
    arrange: leaveUnanswered('admin/trip-requests'),
  },
  {
    name: 'trip-requests-management-error',
    path: management,
    as: 'admin',
    arrange: failToAnswer('admin/trip-requests'),
    prepare: waitForError,
  },
];
