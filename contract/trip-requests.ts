import { customerParam, customerSchema } from './customers.ts';
import {
  addDays,
  type CalendarDate,
  calendarDateSchema,
  datesInOrder,
  instantSchema,
  requiredDate,
  todayInRome,
} from './dates.ts';
import { figure } from './figures.ts';
import { MAX_PHONE_LENGTH } from './lengths.ts';
import { idFilterSchema, listQuerySchema, listSchema } from './lists.ts';
import { emailAddress, optionalText, requiredLine, requiredText, z } from './validation.ts';

/** States of a request, 'Inviata' when it is created. */
export const TRIP_REQUEST_STATES = [
  'Inviata',
  'In lavorazione',
  'Proposta inviata',
  'Confermata',
  'Annullata',
] as const;
export type TripRequestState = (typeof TRIP_REQUEST_STATES)[number];

/** The states in which a request waits for the provider or the customer. */
export const WAITING_STATES = [
  'Inviata',
  'In lavorazione',
  'Proposta inviata',
] as const satisfies TripRequestState[];

/** How a request goes on from each state, told to its customer; null where it does not. */
export const NEXT_STEP: Readonly<Record<TripRequestState, string | null>> = {
  Inviata: 'La stiamo leggendo: ti contatteremo al più presto.',
  'In lavorazione': 'Stiamo cercando le soluzioni: ti scriviamo appena ci sono.',
  'Proposta inviata':
    'Per accettare la proposta, o chiederne un’altra, rispondi alla nostra email o scrivi al supporto.',
  Confermata: 'Per cambiare o annullare una trasferta confermata, chiama il supporto a qualsiasi ora.',
  Annullata: null,
};

/** Options of the wizard (spec §9), in display order. */
export const LODGINGS = ['hotel', 'appartamento'] as const;
export const ACCOMMODATIONS = [...LODGINGS, 'entrambi'] as const;
export const ACCOMMODATION_PREFERENCES = [...LODGINGS, 'nessuna preferenza'] as const;
export const REQUIREMENT_LEVELS = ['necessario', 'preferibile', 'non necessario'] as const;
export const PRIORITIES = ['distanza', 'costo'] as const;

/** Maximum values: characters of a text, people, rooms of a kind, euro per night and person. */
export const TRIP_REQUEST_LIMITS = {
  citta: 120,
  posizione: 300,
  progetto: 120,
  ragione: 2000,
  numeroDipendenti: 5000,
  camere: 5000,
  budget: 100_000,
  budgetNote: 2000,
  altreRichieste: 4000,
  telefono: MAX_PHONE_LENGTH,
  nota: 2000,
} as const;

/** Texts of the wizard (spec §2, §8). */
export const TRIP_REQUEST_TEXTS = {
  sent: {
    title: 'Richiesta Inviata',
    message: 'La tua richiesta è stata presa in carico. Verrai contattato al più presto.',
  },
  failed: {
    title: 'Errore',
    message: "Si è verificato un errore durante l'invio della richiesta. Per favore, riprova più tardi.",
  },
  /** Stays above the form after the failure's toast. */
  kept: 'Quello che hai scritto è ancora qui: potrai inviarlo di nuovo tra poco.',
} as const;

/** How long the success text stays before /app/home opens (spec §9). */
export const REDIRECT_AFTER_SENDING_MS = 2000;

/** Booking lead time recommended to customers, in days (spec §9: at least 2-3 weeks). */
const RECOMMENDED_LEAD_DAYS = 14;

const WHOLE = 'Inserisci un numero intero';

function count(min: number, max: number, tooFew: string) {
  return z
    .int({ error: (issue) => (issue.input === undefined ? undefined : WHOLE) })
    .check(z.gte(min, tooFew), z.lte(max, `Al massimo ${figure(max)}`));
}

const roomCount = count(0, TRIP_REQUEST_LIMITS.camere, 'Il numero non può essere negativo').default(0);
const requirementLevel = z.enum(REQUIREMENT_LEVELS).default('preferibile');

/**
 * A new trip request (spec §3, §5). A preference is only meaningful with 'entrambi', where it defaults to 'nessuna
 * preferenza'; otherwise it is dropped.
 */
export const tripRequestSchema = z
  .strictObject({
    citta: requiredLine('La città è obbligatoria', TRIP_REQUEST_LIMITS.citta),
    posizione: requiredLine('La posizione del sito di lavoro è obbligatoria', TRIP_REQUEST_LIMITS.posizione),
    dataInizio: requiredDate('La data di inizio è obbligatoria'),
    dataFine: requiredDate('La data di fine è obbligatoria'),
    progetto: requiredLine('Il nome del progetto è obbligatorio', TRIP_REQUEST_LIMITS.progetto),
    /** Which of the customer's projects is meant, if several have the name. */
    projectId: z.int().optional(),
    ragione: requiredText('La ragione della trasferta è obbligatoria', TRIP_REQUEST_LIMITS.ragione),
    numeroDipendenti: count(1, TRIP_REQUEST_LIMITS.numeroDipendenti, 'Serve almeno una persona').default(1),
    alloggio: z.enum(ACCOMMODATIONS).default('entrambi'),
    preferenzaAlloggio: z.enum(ACCOMMODATION_PREFERENCES).nullish(),
    camere: z.strictObject({ singole: roomCount, doppie: roomCount, suite: roomCount }).prefault({}),
    requisiti: z
      .strictObject({
        colazione: requirementLevel,
        lavanderia: requirementLevel,
        parcheggio: requirementLevel,
        cucina: requirementLevel,
      })
      .prefault({}),
    budget: count(0, TRIP_REQUEST_LIMITS.budget, 'Il budget non può essere negativo').default(0),
    budgetNote: optionalText(TRIP_REQUEST_LIMITS.budgetNote),
    priorita: z.enum(PRIORITIES).default('costo'),
    altreRichieste: optionalText(TRIP_REQUEST_LIMITS.altreRichieste),
    telefono: requiredLine('Il numero di telefono è obbligatorio', TRIP_REQUEST_LIMITS.telefono),
    email: emailAddress('L’email è obbligatoria'),
  })
  .check(datesInOrder('dataInizio', 'dataFine', 'La data di fine non può precedere la data di inizio'))
  .transform(({ preferenzaAlloggio, ...request }) => ({
    ...request,
    preferenzaAlloggio: request.alloggio === 'entrambi' ? (preferenzaAlloggio ?? 'nessuna preferenza') : null,
  }));

/** A trip request as the wizard sends it. */
export type TripRequestInput = z.input<typeof tripRequestSchema>;
/** A trip request with every default filled in. */
export type TripRequest = z.output<typeof tripRequestSchema>;

/** The four steps of the wizard (spec §2) and the fields of each, in display order. */
export const TRIP_REQUEST_STEPS = [
  {
    title: 'Informazioni Base',
    fields: ['citta', 'posizione', 'dataInizio', 'dataFine', 'progetto', 'ragione', 'numeroDipendenti'],
  },
  {
    title: 'Preferenze di Alloggio',
    fields: ['alloggio', 'preferenzaAlloggio', 'camere.singole', 'camere.doppie', 'camere.suite'],
  },
  {
    title: 'Requisiti e Preferenze',
    fields: [
      'requisiti.colazione',
      'requisiti.lavanderia',
      'requisiti.parcheggio',
      'requisiti.cucina',
      'budget',
      'budgetNote',
      'priorita',
    ],
  },
  { title: 'Richieste Aggiuntive e Contatti', fields: ['altreRichieste', 'telefono', 'email'] },
] as const;

/** '€ 85 a notte per persona'; null for 0, which means no limit. */
export function budgetWords(budget: number): string | null {
  return budget === 0 ? null : `€\u00a0${figure(budget)} a notte per persona`;
}

/** Text for a request without a budget. */
export const NO_BUDGET = 'Nessun limite indicato';

/** A hint when rooms and people do not match; it never blocks the form. Null when they match. */
export function roomsHint(people: number, camere: TripRequest['camere']): string | null {
  const rooms = camere.singole + camere.doppie + camere.suite;
  const beds = camere.singole + 2 * camere.doppie + 2 * camere.suite;
  if (rooms === 0) return null;
  if (beds < people) {
    const housed = beds === 1 ? '1 persona' : `${figure(beds)} persone`;
    return `Nelle camere indicate c’è posto per ${housed} su ${figure(people)}: al resto penseremo noi nella proposta.`;
  }
  if (rooms > people) return `Hai indicato più camere (${figure(rooms)}) che persone (${figure(people)}).`;
  return null;
}

/** A hint when the start leaves little time to organise the trip (spec §9); null when there is enough. */
export function leadTimeHint(start: CalendarDate, today: CalendarDate = todayInRome()): string | null {
  if (start < today) return 'Questa data è già passata: controlla che sia giusta.';
  return start < addDays(today, RECOMMENDED_LEAD_DAYS)
    ? 'Manca poco: per avere più scelta consigliamo almeno 2\u2060–\u20603\u00a0settimane di anticipo.'
    : null;
}

/** One change of a request, by its customer or by the provider. */
const tripRequestEventSchema = z.object({
  at: instantSchema,
  state: z.enum(TRIP_REQUEST_STATES),
  note: z.string().nullable(),
  author: z.enum(['customer', 'provider']),
  /** Full name of the author, 'Account eliminato' once that is deleted; null when the reader may not know it. */
  authorName: z.string().nullable(),
});
export type TripRequestEvent = z.infer<typeof tripRequestEventSchema>;

/** A request in a list. */
export const tripRequestSummarySchema = z.object({
  id: z.number().int(),
  state: z.enum(TRIP_REQUEST_STATES),
  citta: z.string(),
  progetto: z.string(),
  dataInizio: calendarDateSchema,
  dataFine: calendarDateSchema,
  numeroDipendenti: z.number().int(),
  createdAt: instantSchema,
});
export type TripRequestSummary = z.infer<typeof tripRequestSummarySchema>;

/** A request in full: its input, its history, and what its reader may do. */
export const tripRequestDetailSchema = tripRequestSummarySchema.extend({
  posizione: z.string(),
  ragione: z.string(),
  projectId: z.number().int().nullable(),
  /** What that project is called now, for its customer alone. */
  projectName: z.string().nullish(),
  alloggio: z.enum(ACCOMMODATIONS),
  preferenzaAlloggio: z.enum(ACCOMMODATION_PREFERENCES).nullable(),
  camere: z.object({ singole: z.number(), doppie: z.number(), suite: z.number() }),
  requisiti: z.object({
    colazione: z.enum(REQUIREMENT_LEVELS),
    lavanderia: z.enum(REQUIREMENT_LEVELS),
    parcheggio: z.enum(REQUIREMENT_LEVELS),
    cucina: z.enum(REQUIREMENT_LEVELS),
  }),
  budget: z.number().int(),
  budgetNote: z.string().nullable(),
  priorita: z.enum(PRIORITIES),
  altreRichieste: z.string().nullable(),
  telefono: z.string(),
  email: z.string(),
  /** Oldest first. */
  events: z.array(tripRequestEventSchema),
  canWithdraw: z.boolean(),
});
export type TripRequestDetail = z.infer<typeof tripRequestDetailSchema>;

/** A request in the administrator's list, with its customer. */
export const managedTripRequestSummarySchema = tripRequestSummarySchema.extend({ customer: customerSchema });
export type ManagedTripRequestSummary = z.infer<typeof managedTripRequestSummarySchema>;

/** A request in full, for the administrator. */
export const managedTripRequestDetailSchema = tripRequestDetailSchema.extend({ customer: customerSchema });
export type ManagedTripRequestDetail = z.infer<typeof managedTripRequestDetailSchema>;

/** Query of both lists: state, and search in city, project and (for the administrator) customer. */
const tripRequestQuerySchema = listQuerySchema.extend({
  state: z.enum(TRIP_REQUEST_STATES).optional(),
});
export type TripRequestQuery = z.output<typeof tripRequestQuerySchema>;

/** Query of a customer's own list: also by one of their projects. */
export const ownTripRequestQuerySchema = tripRequestQuerySchema.extend({ projectId: idFilterSchema });
export type OwnTripRequestQuery = z.output<typeof ownTripRequestQuerySchema>;

/** Query of the administrator's list: also by one of the customers. */
export const managedTripRequestQuerySchema = tripRequestQuerySchema.extend({
  userId: customerParam.shape.id.optional(),
});
export type ManagedTripRequestQuery = z.output<typeof managedTripRequestQuerySchema>;

export const tripRequestListSchema = listSchema(tripRequestSummarySchema);
export const managedTripRequestListSchema = listSchema(managedTripRequestSummarySchema);

/** A customer's withdrawal, with an optional message to the provider. */
export const withdrawalSchema = z.strictObject({ note: optionalText(TRIP_REQUEST_LIMITS.nota) });

/**
 * The administrator's change of state. `from` is the state on screen, so that a concurrent change is not overwritten.
 */
export const stateChangeSchema = z.strictObject({
  from: z.enum(TRIP_REQUEST_STATES),
  state: z.enum(TRIP_REQUEST_STATES),
  note: optionalText(TRIP_REQUEST_LIMITS.nota),
});
export type StateChange = z.output<typeof stateChangeSchema>;
