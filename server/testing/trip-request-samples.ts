import fc from 'fast-check';
import type { CalendarDate } from '#contract/dates.ts';
import {
  ACCOMMODATION_PREFERENCES,
  ACCOMMODATIONS,
  PRIORITIES,
  REQUIREMENT_LEVELS,
  type TripRequest,
  type TripRequestDetail,
} from '#contract/trip-requests.ts';
import { oneLine } from '#contract/validation.ts';

/** One line of text as stored: any script, without characters that a form field refuses. */
function words(max: number): fc.Arbitrary<string> {
  return fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: Math.min(max, 60) })
    .map((value) => oneLine(value.replace(/[\p{Cc}\p{Cs}\p{Cn}\u2028\u2029]/gu, '')))
    .filter((value) => value.length > 0 && value.length <= max);
}

/** The same over up to three lines. */
function lines(max: number): fc.Arbitrary<string> {
  return fc
    .array(words(Math.floor(max / 4)), { minLength: 1, maxLength: 3 })
    .map((written) => written.join('\n'));
}

const rooms = fc.integer({ min: 0, max: 5000 });
const level = fc.constantFrom(...REQUIREMENT_LEVELS);
const day = fc
  .date({ min: new Date('2027-01-01'), max: new Date('2029-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10) as CalendarDate);

/** Any request that the wizard can create, as stored (spec §5). */
export const tripRequestSamples: fc.Arbitrary<TripRequest> = fc
  .record({
    citta: words(120),
    posizione: words(300),
    dates: fc.tuple(day, day),
    progetto: words(120),
    ragione: lines(2000),
    numeroDipendenti: fc.integer({ min: 1, max: 5000 }),
    alloggio: fc.constantFrom(...ACCOMMODATIONS),
    preference: fc.constantFrom(...ACCOMMODATION_PREFERENCES),
    camere: fc.record({ singole: rooms, doppie: rooms, suite: rooms }),
    requisiti: fc.record({ colazione: level, lavanderia: level, parcheggio: level, cucina: level }),
    budget: fc.integer({ min: 0, max: 100_000 }),
    budgetNote: fc.option(lines(2000)),
    priorita: fc.constantFrom(...PRIORITIES),
    altreRichieste: fc.option(lines(4000)),
    telefono: words(40),
    email: fc.constant('chi.scrive@example.com'),
  })
  .map(({ dates: [one, other], preference, ...request }) => ({
    ...request,
    dataInizio: one < other ? one : other,
    dataFine: one < other ? other : one,
    preferenzaAlloggio: request.alloggio === 'entrambi' ? preference : null,
  }));

/** The lines of a request's mail that contain the customer's own words (spec §7). */
export function customerLines(request: TripRequest | TripRequestDetail): string[] {
  const labelled = [
    ['Città', request.citta],
    ['Posizione esatta del sito di lavoro', request.posizione],
    ['Nome del progetto', request.progetto],
    ['Ragione della trasferta', request.ragione],
    ['Note sul budget', request.budgetNote],
    ['Telefono', request.telefono],
  ] as const;
  return [
    ...labelled.flatMap(([label, value]) =>
      value ? [`- ${label}: ${value.replaceAll('\n', '\n  ')}\n`] : [],
    ),
    ...(request.altreRichieste ? [`ALTRE RICHIESTE\n${request.altreRichieste}\n`] : []),
  ];
}
