import { addDays, type CalendarDate, daysBetween } from '#contract/dates.ts';
import { EMPLOYEE_ROLES, type EmployeeStatus } from '#contract/employees.ts';
import { defaultDueDate, type InvoiceStatus } from '#contract/invoices.ts';
import type { Cents } from '#contract/money.ts';
import type { ProjectStatus } from '#contract/projects.ts';
import type { TripRequestState } from '#contract/trip-requests.ts';

/*
 * A realistic year of a customer: sites in the provider's four sectors, the people on them, their weekly invoices and
 * the requests they began with. All dates are relative to today, and nothing is random: the same day always gives the
 * same year.
 */

/** A line of an invoice. */
export type InvoiceLine = { what: string; quantity: number; unit: Cents };

/** The invoice of a week of a project. */
export type DemoInvoice = {
  issueDate: CalendarDate;
  dueDate: CalendarDate;
  status: InvoiceStatus;
  description: string;
  lines: InvoiceLine[];
  amount: Cents;
};

export type DemoEmployee = { name: string; role: string; status: EmployeeStatus; department: string };

export type DemoProject = {
  name: string;
  location: string;
  startDate: CalendarDate;
  endDate: CalendarDate;
  status: ProjectStatus;
  projectedTotal: Cents;
  /** Indexes into the year's employees. */
  team: number[];
  invoices: DemoInvoice[];
};

export type DemoRequest = {
  city: string;
  position: string;
  projectName: string;
  reason: string;
  startDate: CalendarDate;
  endDate: CalendarDate;
  people: number;
  budget: number;
  /** Every state it has had, including the first, with its day. */
  states: { state: TripRequestState; on: CalendarDate; note: string | null }[];
};

export type DemoYear = { employees: DemoEmployee[]; projects: DemoProject[]; requests: DemoRequest[] };

type Site = {
  name: string;
  location: string;
  sector: 'Edilizia' | 'Oil & Gas' | 'Manutenzione industriale' | 'Impiantistica';
  /** First and last day, relative to today. */
  from: number;
  to: number;
  people: number;
  /** Price of a bed per night, in cents. */
  night: Cents;
  /** Ratio of the projection to the cost of the whole stay; below 1 it will be exceeded. */
  foresight: number;
};

const SITES: readonly Site[] = [
  {
    name: 'Fermata impianto etilene',
    location: 'Priolo Gargallo (SR)',
    sector: 'Oil & Gas',
    from: -38,
    to: 9,
    people: 9,
    night: 5_450,
    foresight: 1.08,
  },
  {
    name: 'Viadotto A14, lotto 3',
    location: 'Pescara',
    sector: 'Edilizia',
    from: -150,
    to: 96,
    people: 7,
    night: 4_890,
    foresight: 1.12,
  },
  {
    name: 'Revamping centrale termica',
    location: 'Monfalcone (GO)',
    sector: 'Impiantistica',
    from: -96,
    to: 27,
    people: 6,
    night: 5_280,
    foresight: 0.72,
  },
  {
    name: 'Linea verniciatura 2',
    location: 'Melfi (PZ)',
    sector: 'Impiantistica',
    from: -52,
    to: 41,
    people: 5,
    night: 4_650,
    foresight: 1.15,
  },
  {
    name: 'Manutenzione forno 4',
    location: 'Taranto',
    sector: 'Manutenzione industriale',
    from: -20,
    to: 12,
    people: 8,
    night: 5_120,
    foresight: 1.05,
  },
  {
    name: 'Ampliamento polo logistico',
    location: 'Castel San Giovanni (PC)',
    sector: 'Edilizia',
    from: 6,
    to: 130,
    people: 6,
    night: 5_390,
    foresight: 1.1,
  },
  {
    name: 'Ispezione serbatoi',
    location: 'Falconara Marittima (AN)',
    sector: 'Oil & Gas',
    from: 13,
    to: 48,
    people: 4,
    night: 5_560,
    foresight: 1.2,
  },
  {
    name: 'Residenze Darsena',
    location: 'Ravenna',
    sector: 'Edilizia',
    from: -340,
    to: -128,
    people: 6,
    night: 4_980,
    foresight: 1.06,
  },
  {
    name: 'Fermata raffineria, unità 20',
    location: 'Sannazzaro de’ Burgondi (PV)',
    sector: 'Oil & Gas',
    from: -262,
    to: -210,
    people: 11,
    night: 5_780,
    foresight: 0.97,
  },
  {
    name: 'Montaggio linea imbottigliamento',
    location: 'San Pellegrino Terme (BG)',
    sector: 'Impiantistica',
    from: -228,
    to: -147,
    people: 5,
    night: 5_640,
    foresight: 1.14,
  },
  {
    name: 'Revisione turbine',
    location: 'Entracque (CN)',
    sector: 'Manutenzione industriale',
    from: -318,
    to: -246,
    people: 4,
    night: 5_010,
    foresight: 1.09,
  },
  {
    name: 'Cartiera, cambio rulli',
    location: 'Lucca',
    sector: 'Manutenzione industriale',
    from: -118,
    to: -61,
    people: 5,
    night: 5_330,
    foresight: 1.03,
  },
];

const FIRST_NAMES = [
  'Marco',
  'Luca',
  'Davide',
  'Ionut',
  'Paolo',
  'Antonio',
  'Giorgio',
  'Stefano',
  'Elena',
  'Andrea',
  'Chiara',
  'Mihai',
  'Francesco',
  'Sara',
  'Alessandro',
  'Roberto',
  'Youssef',
  'Matteo',
  'Giulia',
  'Simone',
] as const;
const LAST_NAMES = [
  'Ferri',
  'Sanna',
  'Conti',
  'Popescu',
  'Greco',
  'Russo',
  'Villa',
  'Riva',
  'Moretti',
  'Fabbri',
  'Donati',
  'Ionescu',
  'Esposito',
  'Marchetti',
  'Bianchi',
  'Caruso',
  'El Amrani',
  'Galli',
  'De Luca',
  'Pellegrini',
] as const;
const PEOPLE = 60;
const WEEK = 7;
/** Days after which invoices are paid, except the forgotten ones. */
const PAID_AFTER_DAYS = 34;
/** One invoice in this many is paid late. */
const FORGOTTEN_EVERY = 11;
const MEAL: Cents = 1_450;

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('an empty list has no items');
  return item;
}

function nameOf(person: number): string {
  // Each pass over the first names shifts the last names, so that all people have different names.
  const round = Math.floor(person / FIRST_NAMES.length);
  return `${at(FIRST_NAMES, person)} ${at(LAST_NAMES, person + round * 7)}`;
}

/** The invoice lines of a site for the nights from `from` to `to`. */
function linesOf(site: Site, from: CalendarDate, to: CalendarDate): InvoiceLine[] {
  const nights = daysBetween(from, to);
  return [
    {
      what: `Pernottamenti, ${site.people} persone per ${nights === 1 ? '1 notte' : `${nights} notti`}`,
      quantity: site.people * nights,
      unit: site.night,
    },
    { what: 'Cene convenzionate', quantity: site.people * nights, unit: MEAL },
    { what: 'Lavanderia e cambio biancheria', quantity: site.people, unit: 980 },
    { what: 'Parcheggio furgoni', quantity: nights, unit: 750 },
  ];
}

function totalOf(lines: readonly InvoiceLine[]): Cents {
  return lines.reduce((sum, { quantity, unit }) => sum + quantity * unit, 0);
}

function invoicesOf(site: Site, number: number, today: CalendarDate): DemoInvoice[] {
  const start = addDays(today, site.from);
  const end = addDays(today, site.to);
  const invoices: DemoInvoice[] = [];
  for (let from = start; from < end; from = addDays(from, WEEK)) {
    const next = addDays(from, WEEK);
    const to = next < end ? next : end;
    const issueDate = addDays(to, 1);
    if (issueDate > today) break;
    const forgotten =
      (number * 5 + invoices.length) % FORGOTTEN_EVERY === 0 && daysBetween(issueDate, today) < 90;
    const lines = linesOf(site, from, to);
    invoices.push({
      issueDate,
      dueDate: defaultDueDate(issueDate),
      status: daysBetween(issueDate, today) > PAID_AFTER_DAYS && !forgotten ? 'Pagata' : 'Da Pagare',
      description: `Soggiorno ${site.name}, settimana ${invoices.length + 1}`,
      lines,
      amount: totalOf(lines),
    });
  }
  return invoices;
}

/** The crew of each site: the next people in order who are on no other site on any of its days. */
function crewsOf(sites: readonly Site[]): number[][] {
  const days: Site[][] = Array.from({ length: PEOPLE }, () => []);
  let next = 0;
  return sites.map((site) => {
    const crew: number[] = [];
    for (let tried = 0; crew.length < site.people && tried < PEOPLE; tried += 1) {
      const person = next % PEOPLE;
      const own = at(days, person);
      next += 1;
      if (own.some(({ from, to }) => from <= site.to && site.from <= to)) continue;
      own.push(site);
      crew.push(person);
    }
    return crew;
  });
}

function projectsOf(today: CalendarDate): DemoProject[] {
  const crews = crewsOf(SITES);
  return SITES.map((site, number) => {
    const startDate = addDays(today, site.from);
    const endDate = addDays(today, site.to);
    const team = at(crews, number);
    const whole = totalOf(linesOf(site, startDate, endDate));
    return {
      name: site.name,
      location: site.location,
      startDate,
      endDate,
      status: site.to < 0 ? 'Completato' : 'In corso',
      // Rounded to 500 euro, as in a typical plan.
      projectedTotal: Math.round((whole * site.foresight) / 50_000) * 50_000,
      team,
      invoices: invoicesOf(site, number, today),
    };
  });
}

function employeesOf(projects: readonly DemoProject[], today: CalendarDate): DemoEmployee[] {
  return Array.from({ length: PEOPLE }, (_, person) => {
    const own = projects.filter(({ team }) => team.includes(person));
    const site = SITES.find(({ name }) => name === own[0]?.name);
    const away = own.some(({ startDate, endDate }) => startDate <= today && today <= endDate);
    const back = own.some(({ status }) => status === 'Completato');
    return {
      name: nameOf(person),
      role: at(EMPLOYEE_ROLES, person === 0 ? 0 : person * 5 + 1),
      department: site?.sector ?? 'Impiantistica',
      status: away ? 'in trasferta' : back ? 'Rientrato' : 'disponibile',
    };
  });
}

const REQUESTS: readonly (Pick<
  DemoRequest,
  'city' | 'position' | 'projectName' | 'reason' | 'people' | 'budget'
> & {
  sent: number;
  from: number;
  nights: number;
  states: readonly (readonly [TripRequestState, number, string | null])[];
})[] = [
  {
    city: 'Gela',
    position: 'Raffineria, varco 3',
    projectName: 'Bonifica area nord',
    reason: 'Squadra di bonifica in aggiunta a quella locale',
    people: 14,
    budget: 70,
    sent: -1,
    from: 25,
    nights: 21,
    states: [],
  },
  {
    city: 'Castel San Giovanni',
    position: 'Polo logistico, via Emilia Pavese 10',
    projectName: 'Ampliamento polo logistico',
    reason: 'Apertura cantiere',
    people: 6,
    budget: 75,
    sent: -12,
    from: 6,
    nights: 124,
    states: [
      ['In lavorazione', -11, null],
      ['Confermata', -6, 'Appartamenti a 900 m dal cantiere, parcheggio per tre furgoni.'],
    ],
  },
  {
    city: 'Falconara Marittima',
    position: 'Deposito costiero, ingresso sud',
    projectName: 'Ispezione serbatoi',
    reason: 'Ispezione decennale',
    people: 4,
    budget: 80,
    sent: -5,
    from: 13,
    nights: 35,
    states: [
      ['In lavorazione', -4, null],
      [
        'Proposta inviata',
        -1,
        'Due alternative: hotel a 2 km o appartamenti a 6 km, con un risparmio del 18%.',
      ],
    ],
  },
  {
    city: 'Brindisi',
    position: 'Zona industriale, viale Enrico Fermi 4',
    projectName: 'Montaggio tralicci',
    reason: 'Montaggio in due turni',
    people: 10,
    budget: 0,
    sent: -3,
    from: 31,
    nights: 28,
    states: [['In lavorazione', -2, null]],
  },
  {
    city: 'Taranto',
    position: 'Stabilimento, portineria C',
    projectName: 'Manutenzione forno 4',
    reason: 'Fermata programmata',
    people: 8,
    budget: 70,
    sent: -44,
    from: -20,
    nights: 32,
    states: [
      ['In lavorazione', -43, null],
      ['Proposta inviata', -40, null],
      ['Confermata', -37, null],
    ],
  },
  {
    city: 'Livorno',
    position: 'Darsena Toscana',
    projectName: 'Manutenzione gru 7',
    reason: 'Rinviata dal committente',
    people: 3,
    budget: 90,
    sent: -58,
    from: -30,
    nights: 10,
    states: [
      ['In lavorazione', -57, null],
      ['Annullata', -50, 'Intervento rinviato a data da destinarsi.'],
    ],
  },
];

/** Oldest first, because lists show records in order of creation. */
function requestsOf(today: CalendarDate): DemoRequest[] {
  const inOrder = REQUESTS.toSorted((one, other) => one.sent - other.sent);
  return inOrder.map(({ sent, from, nights, states, ...request }) => ({
    ...request,
    startDate: addDays(today, from),
    endDate: addDays(today, from + nights),
    states: [
      { state: 'Inviata', on: addDays(today, sent), note: null },
      ...states.map(([state, on, note]) => ({ state, on: addDays(today, on), note })),
    ],
  }));
}

/** The demo year up to and around `today` (in Europe/Rome). */
export function demoYear(today: CalendarDate): DemoYear {
  const projects = projectsOf(today);
  return { projects, employees: employeesOf(projects, today), requests: requestsOf(today) };
}
