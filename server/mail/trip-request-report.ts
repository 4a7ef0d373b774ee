import { type CalendarDate, formatDate, formatDateTime, period, withArticle } from '#contract/dates.ts';
import { figure } from '#contract/figures.ts';
import { spokenPhone } from '#contract/phones.ts';
import {
  budgetWords,
  NEXT_STEP,
  NO_BUDGET,
  type TripRequest,
  type TripRequestState,
} from '#contract/trip-requests.ts';
import { provider } from '#provider';
import type { Report, ReportSection } from './report.ts';
import { type Requester, requesterLines } from './requester.ts';

/** Who writes to a customer, and where support is reached. */
const SIGNATURE = `${provider.legalName} · ${provider.support.email} · ${spokenPhone(provider.support.phone)}`;

function sectionsOf(request: TripRequest, requester: Requester): ReportSection[] {
  const { camere, requisiti } = request;
  return [
    {
      title: 'Informazioni base',
      content: [
        ['Città', request.citta],
        ['Posizione esatta del sito di lavoro', request.posizione],
        ['Data di inizio', formatDate(request.dataInizio)],
        ['Data di fine', formatDate(request.dataFine)],
        ['Nome del progetto', request.progetto],
        ['Ragione della trasferta', request.ragione],
        ['Numero di persone', figure(request.numeroDipendenti)],
      ],
    },
    {
      title: 'Alloggio',
      content: [
        ['Tipo di alloggio', request.alloggio],
        ...(request.preferenzaAlloggio ? [['Preferenza', request.preferenzaAlloggio] as const] : []),
      ],
    },
    {
      title: 'Camere',
      content: [
        ['Singole', figure(camere.singole)],
        ['Doppie', figure(camere.doppie)],
        ['Suite', figure(camere.suite)],
      ],
    },
    {
      title: 'Requisiti',
      content: [
        ['Colazione', requisiti.colazione],
        ['Lavanderia', requisiti.lavanderia],
        ['Parcheggio', requisiti.parcheggio],
        ['Cucina', requisiti.cucina],
      ],
    },
    {
      title: 'Budget e priorità',
      content: [
        ['Budget', budgetWords(request.budget) ?? NO_BUDGET],
        ...(request.budgetNote ? [['Note sul budget', request.budgetNote] as const] : []),
        ['Priorità', request.priorita],
      ],
    },
    ...(request.altreRichieste ? [{ title: 'Altre richieste', content: request.altreRichieste }] : []),
    {
      title: 'Contatti',
      content: [
        ...requesterLines(requester, { name: 'Cliente', company: 'Azienda' }),
        ['Telefono', request.telefono],
        ['Email', request.email],
      ],
    },
  ];
}

/**
 * The provider's message about a new request (spec §7): every section; other requests only if there are any.
 * @param url of the request in the administrator's list
 */
export function newRequestReport(
  request: TripRequest,
  requester: Requester,
  sentAt: Date,
  url: string,
): Report {
  return {
    title: 'Nuova richiesta di trasferta',
    sections: sectionsOf(request, requester),
    link: { label: 'Apri la richiesta', url },
    footer: `Richiesta inviata ${withArticle('il', formatDateTime(sentAt))}`,
  };
}

/**
 * A copy of the request for the address it names, often that of somebody on site who did not write it.
 * @param requester with the address of their account
 * @param url of the request in the requester's own list
 */
export function confirmationReport(
  request: TripRequest,
  requester: Requester,
  sentAt: Date,
  url: string,
): Report {
  return {
    title: 'Abbiamo ricevuto la richiesta',
    intro:
      request.email === requester.email
        ? `Ciao ${requester.fullName}, la tua richiesta è stata presa in carico. Verrai contattato al più presto. Qui sotto trovi quello che ci hai scritto.`
        : 'Ciao, la richiesta è stata presa in carico, con questo indirizzo come contatto. Verrai contattato al più presto. Qui sotto trovi quello che ci è stato scritto.',
    sections: sectionsOf(request, requester),
    link: { label: 'Segui la richiesta', url },
    footer: `Richiesta inviata ${withArticle('il', formatDateTime(sentAt))}\n${SIGNATURE}`,
  };
}

/** A summary of a request. */
export type RequestInBrief = {
  citta: string;
  progetto: string;
  dataInizio: CalendarDate;
  dataFine: CalendarDate;
  numeroDipendenti: number;
};

function briefSection(request: RequestInBrief): ReportSection {
  return {
    title: 'Richiesta',
    content: [
      ['Città', request.citta],
      ['Nome del progetto', request.progetto],
      ['Date', period(request.dataInizio, request.dataFine)],
      ['Numero di persone', figure(request.numeroDipendenti)],
    ],
  };
}

/**
 * Tells the contact of a request about a new state and what follows from it, with the administrator's note if any, or
 * about a note alone.
 */
export function stateChangeReport(
  request: RequestInBrief,
  { from, state, note }: { from: TripRequestState; state: TripRequestState; note: string | null },
  at: Date,
  url: string,
): Report {
  const isNew = state !== from;
  const step = NEXT_STEP[state];
  return {
    title: isNew
      ? `La richiesta per ${request.citta}: ${state}`
      : `Un messaggio sulla richiesta per ${request.citta}`,
    sections: [
      {
        title: 'Aggiornamento',
        content: [[isNew ? 'Nuovo stato' : 'Stato', state], ...(note ? [['Nota', note] as const] : [])],
      },
      briefSection(request),
    ],
    link: { label: 'Apri la richiesta', url },
    ...(isNew && step && { note: step }),
    footer: `Aggiornata ${withArticle('il', formatDateTime(at))}\n${SIGNATURE}`,
  };
}

/** Tells the provider that the customer has withdrawn the request. */
export function withdrawalReport(
  request: RequestInBrief,
  requester: Requester,
  note: string | null,
  at: Date,
  url: string,
): Report {
  return {
    title: 'Richiesta annullata dal cliente',
    sections: [
      briefSection(request),
      { title: 'Cliente', content: requesterLines(requester) },
      ...(note ? [{ title: 'Motivo', content: note }] : []),
    ],
    link: { label: 'Apri la richiesta', url },
    footer: `Annullata ${withArticle('il', formatDateTime(at))}`,
  };
}
