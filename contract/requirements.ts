import {
  type CalendarDate,
  DATE_YEARS,
  dateProblem,
  datesInOrder,
  isCalendarDate,
  period,
  todayInRome,
} from './dates.ts';
import { groupThousands } from './figures.ts';
import { oneLine, readable, z } from './validation.ts';

/*
 * The requirements wizard is in English (spec §2), so every message is given here; otherwise validation.ts would use
 * Italian ones.
 */

/** The options of the wizard, in the order in which they are offered, with their labels. */
export const TRIP_PURPOSES = {
  business: 'Business meeting',
  conference: 'Conference',
  training: 'Training',
  'site-visit': 'Site visit',
  other: 'Other',
} as const;
export const ACCOMMODATION_TYPES = {
  hotel: 'Hotel',
  apartment: 'Apartment',
  extended: 'Extended stay',
} as const;
export const ROOM_TYPES = { single: 'Single', double: 'Double', suite: 'Suite', twin: 'Twin' } as const;
export const BEDS = { '1': '1 bed', '2': '2 beds', '3+': '3+ beds' } as const;
export const AMENITIES = {
  wifi: 'Wi-Fi',
  breakfast: 'Breakfast',
  parking: 'Parking',
  gym: 'Gym',
  pool: 'Pool',
  aircon: 'Air conditioning',
  workspace: 'Workspace',
  airport: 'Airport shuttle',
} as const;
export const LOCATIONS = {
  downtown: 'Downtown',
  airport: 'Near the airport',
  office: 'Near the office',
  quiet: 'Quiet area',
} as const;
export const ACCESSIBILITY_NEEDS = {
  wheelchair: 'Wheelchair access',
  elevator: 'Elevator',
  'ground-floor': 'Ground floor room',
  bathroom: 'Accessible bathroom',
  hearing: 'Hearing assistance',
  vision: 'Vision assistance',
} as const;
export const DIETARY_NEEDS = {
  vegetarian: 'Vegetarian',
  vegan: 'Vegan',
  'gluten-free': 'Gluten-free',
  'lactose-free': 'Lactose-free',
  halal: 'Halal',
  kosher: 'Kosher',
} as const;

/** Maximum values: characters of a text, travelers, dollars per night, kilometres, additional requirements. */
export const REQUIREMENTS_LIMITS = {
  destination: 120,
  travelers: 5000,
  budgetPerNight: 100_000,
  maxDistanceKm: 1000,
  additional: 30,
  additionalText: 200,
  notes: 4000,
} as const;

/** Texts of the wizard (spec §2). */
export const REQUIREMENTS_TEXTS = {
  submitted: 'Travel requirements submitted successfully!',
  disclaimer:
    'Availability is not guaranteed: rooms and rates are confirmed only after we have checked them with our partners.',
  failed: 'Your requirements could not be sent. What you entered is still here: please try again later.',
  /** @param seconds until the next attempt, an hour at most */
  tooMany: (seconds: number) => {
    const minutes = Math.ceil(seconds / 60);
    const wait = minutes <= 1 ? 'a minute' : minutes < 60 ? `${minutes} minutes` : 'an hour';
    return `Too many requirements sent. What you entered is still here: please try again in ${wait}.`;
  },
  blank: 'Write a requirement first',
  duplicate: 'This requirement is already in the list',
} as const;

function optionOf<Options extends Record<string, string>>(options: Options) {
  const values = Object.keys(options) as [keyof Options & string, ...(keyof Options & string)[]];
  return z.enum(values, 'Choose one of the options');
}

function optionsOf<Options extends Record<string, string>>(options: Options) {
  return z
    .array(optionOf(options), 'Choose among the options')
    .max(Object.keys(options).length, 'Choose each option once')
    .refine((chosen) => new Set(chosen).size === chosen.length, 'Choose each option once');
}

const figureWithCommas = (count: number) => groupThousands(count, ',');

function whole(min: number, max: number, tooSmall: string) {
  return z
    .int('Enter a whole number')
    .check(z.gte(min, tooSmall), z.lte(max, `At most ${figureWithCommas(max)}`));
}

/** Text of at most `max` characters; `wrong` is the message for anything that is not text. */
function anyText(max: number, wrong: string, clean = readable) {
  return z
    .string(wrong)
    .overwrite(clean)
    .max(max, `At most ${figureWithCommas(max)} characters`);
}

function line(max: number, missing: string) {
  return anyText(max, missing, oneLine).min(1, missing);
}

const DATE_MESSAGES = {
  unreadable: 'Enter a date as dd/mm/yyyy',
  outOfRange: `Enter a year from ${DATE_YEARS.first} to ${DATE_YEARS.last}`,
};

const date = z
  .custom<CalendarDate>((value) => typeof value === 'string' && isCalendarDate(value), {
    error: ({ input }) => dateProblem(input, DATE_MESSAGES),
  })
  .meta({ type: 'string', format: 'date' });

/** Additional requirements are compared ignoring case, surrounding blanks and invisible characters. */
function isSame(one: string, other: string): boolean {
  return oneLine(one).toLowerCase() === oneLine(other).toLowerCase();
}

const TOO_MANY = `At most ${REQUIREMENTS_LIMITS.additional} requirements`;

/**
 * Why `requirement` cannot be added to `list` (spec §2: no blanks, no duplicates; or the list is full); null when it
 * can.
 */
export function additionProblem(list: readonly string[], requirement: string): string | null {
  if (readable(requirement) === '') return REQUIREMENTS_TEXTS.blank;
  if (list.length >= REQUIREMENTS_LIMITS.additional) return TOO_MANY;
  return list.some((entry) => isSame(entry, requirement)) ? REQUIREMENTS_TEXTS.duplicate : null;
}

/**
 * Travel requirements as the wizard sends them (spec §2, Requirements). Whether the start has passed is not part of it
 * (`startProblem`): requirements sent again after midnight are those already received.
 */
export const requirementsSchema = z
  .strictObject({
    destination: line(REQUIREMENTS_LIMITS.destination, 'Enter a destination'),
    purpose: optionOf(TRIP_PURPOSES),
    startDate: date,
    endDate: date,
    travelers: whole(1, REQUIREMENTS_LIMITS.travelers, 'At least one traveler'),
    /** US dollars. */
    budgetPerNight: whole(0, REQUIREMENTS_LIMITS.budgetPerNight, 'The budget cannot be negative'),
    accommodation: optionOf(ACCOMMODATION_TYPES),
    roomType: optionOf(ROOM_TYPES),
    beds: optionOf(BEDS),
    amenities: optionsOf(AMENITIES),
    location: optionOf(LOCATIONS),
    maxDistanceKm: whole(0, REQUIREMENTS_LIMITS.maxDistanceKm, 'The distance cannot be negative'),
    accessibility: optionsOf(ACCESSIBILITY_NEEDS),
    dietary: optionsOf(DIETARY_NEEDS),
    additional: z
      .array(
        line(REQUIREMENTS_LIMITS.additionalText, REQUIREMENTS_TEXTS.blank),
        'Enter a list of requirements',
      )
      .max(REQUIREMENTS_LIMITS.additional, TOO_MANY)
      .refine(
        (list) => list.every((entry, index) => !list.slice(0, index).some((other) => isSame(entry, other))),
        REQUIREMENTS_TEXTS.duplicate,
      ),
    notes: anyText(REQUIREMENTS_LIMITS.notes, 'Enter a text'),
  })
  .check(datesInOrder('startDate', 'endDate', 'The end date cannot precede the start date'));
export type Requirements = z.output<typeof requirementsSchema>;

/** Why new requirements cannot start on `startDate` (spec §2: earlier days are disabled); null when they can. */
export function startProblem(startDate: CalendarDate): string | null {
  return startDate < todayInRome() ? 'The start date has already passed' : null;
}

/** The steps of the wizard (spec §2) and the fields each asks for. */
export const REQUIREMENTS_STEPS = [
  {
    title: 'Trip Details',
    fields: ['destination', 'purpose', 'startDate', 'endDate', 'travelers', 'budgetPerNight'],
  },
  {
    title: 'Accommodation',
    fields: ['accommodation', 'roomType', 'beds', 'amenities', 'location', 'maxDistanceKm'],
  },
  { title: 'Special Needs', fields: ['accessibility', 'dietary', 'additional', 'notes'] },
  { title: 'Review', fields: [] },
] as const;

/** The input as labelled lines for the review and the mail; empty entries are left out. */
export function requirementsLines(
  requirements: Requirements,
): { title: string; lines: [label: string, value: string][] }[] {
  const list = <Options extends Record<string, string>>(
    options: Options,
    chosen: readonly (keyof Options)[],
  ) => chosen.map((key) => options[key]).join(', ');
  const parts: { title: string; lines: [string, string][] }[] = [
    {
      title: REQUIREMENTS_STEPS[0].title,
      lines: [
        ['Destination', requirements.destination],
        ['Purpose', TRIP_PURPOSES[requirements.purpose]],
        ['Dates', period(requirements.startDate, requirements.endDate)],
        ['Travelers', figureWithCommas(requirements.travelers)],
        [
          'Budget per night',
          requirements.budgetPerNight > 0
            ? `$${figureWithCommas(requirements.budgetPerNight)}`
            : 'No limit given',
        ],
      ],
    },
    {
      title: REQUIREMENTS_STEPS[1].title,
      lines: [
        ['Type', ACCOMMODATION_TYPES[requirements.accommodation]],
        ['Room', `${ROOM_TYPES[requirements.roomType]}, ${BEDS[requirements.beds]}`],
        ['Amenities', list(AMENITIES, requirements.amenities)],
        [
          'Location',
          `${LOCATIONS[requirements.location]}, within ${figureWithCommas(requirements.maxDistanceKm)} km`,
        ],
      ],
    },
    {
      title: REQUIREMENTS_STEPS[2].title,
      lines: [
        ['Accessibility', list(ACCESSIBILITY_NEEDS, requirements.accessibility)],
        ['Dietary', list(DIETARY_NEEDS, requirements.dietary)],
        ['Additional requirements', requirements.additional.join('\n')],
        ['Notes', requirements.notes],
      ],
    },
  ];
  return parts
    .map(({ title, lines }) => ({ title, lines: lines.filter(([, value]) => value !== '') }))
    .filter(({ lines }) => lines.length > 0);
}
