import { addDays, type CalendarDate, todayInRome } from '#contract/dates.ts';
import type { Factories, TestUser } from '#server/testing/factories.ts';

/** The users for whom screens are shown. */
export const spectators = ['visitor', 'customer', 'newCustomer', 'admin', 'invoiceAdmin'] as const;
export type Spectator = (typeof spectators)[number];

const today = todayInRome();

/** Sites of an active customer; days are relative to today, so that progress and due dates look the same on any day. */
const sites = [
  {
    name: 'Fermata impianto etilene',
    location: 'Priolo Gargallo (SR)',
    from: -24,
    to: 18,
    projected: '96000.00',
    crew: ['Capocantiere', 'Tecnico', 'Tecnico', 'Supervisore', 'Cantierista'],
    invoices: [
      { euro: 12480.5, issued: -60, paid: true },
      { euro: 18920, issued: -31, paid: true },
      { euro: 9640.75, issued: -8, paid: false },
    ],
  },
  {
    name: 'Viadotto A14 lotto 3',
    location: 'Pescara',
    from: -70,
    to: 95,
    projected: '148000.00',
    crew: ['Capocantiere', 'Cantierista', 'Cantierista', 'Ingegnere'],
    invoices: [
      { euro: 21300, issued: -92, paid: true },
      { euro: 22150.25, issued: -45, paid: false },
    ],
  },
  {
    name: 'Revamping centrale termica',
    location: 'Monfalcone (GO)',
    from: -190,
    to: -64,
    projected: '54000.00',
    done: true,
    crew: ['Tecnico', 'Analista Dati'],
    invoices: [{ euro: 51870, issued: -120, paid: true }],
  },
] as const;

const names = [
  'Marco Ferri',
  'Luca Sanna',
  'Davide Conti',
  'Paolo Greco',
  'Ionut Popescu',
  'Antonio Russo',
  'Giorgio Villa',
  'Stefano Riva',
  'Elena Moretti',
  'Andrea Fabbri',
  'Chiara Donati',
] as const;

/** Creates the account of every spectator, the customer with enough records to look at. */
export async function seedShowcase(
  make: Factories,
): Promise<Record<Exclude<Spectator, 'visitor'>, TestUser>> {
  const customer = await make.user({
    email: 'paola.galli@example.com',
    username: 'paola.galli',
    fullName: 'Paola Galli',
    companyName: 'Galli Montaggi Industriali S.r.l.',
    emailVerified: true,
  });
  await seedSites(make, customer);
  await make.tripRequest(customer, {
    city: 'Gela',
    people: 14,
    startDate: fromToday(25),
    endDate: fromToday(46),
    state: 'Proposta inviata',
    otherRequests: 'Turni dalle 6: serve la colazione dalle 5.\nTre furgoni da parcheggiare al coperto.',
  });
  await make.tripRequest(customer, { city: 'Monfalcone', people: 1, state: 'Confermata' });
  await make.tripRequest(customer, {
    city: 'Priolo Gargallo',
    people: 22,
    accommodation: 'entrambi',
    accommodationPreference: 'appartamento',
    projectName: 'Fermata impianto etilene',
    startDate: fromToday(12),
    endDate: fromToday(40),
  });
  await make.undeliveredMail();
  return {
    customer,
    newCustomer: await make.user({ fullName: 'Giulia Serra', companyName: null }),
    admin: await make.user({
      role: 'admin',
      fullName: 'Franco Neri',
      username: 'franco.neri',
      emailVerified: true,
    }),
    invoiceAdmin: await make.invoiceAdmin(),
  };
}

async function seedSites(make: Factories, customer: TestUser): Promise<void> {
  const people = names.values();
  const crews: { project: { id: number }; crew: { id: number }[] }[] = [];
  for (const site of sites) {
    const project = await make.project(customer, {
      name: site.name,
      location: site.location,
      startDate: fromToday(site.from),
      endDate: fromToday(site.to),
      projectedTotal: site.projected,
      status: 'done' in site ? 'Completato' : 'In corso',
    });
    const crew: { id: number }[] = [];
    for (const role of site.crew) {
      const status = 'done' in site ? 'Rientrato' : 'in trasferta';
      const name = people.next().value ?? 'Mario Bianchi';
      crew.push(await make.employee(customer, { name, role, status }, project));
    }
    crews.push({ project, crew });
    for (const { euro, issued, paid } of site.invoices) {
      const issueDate = fromToday(issued);
      await make.invoice(customer, project, {
        euro,
        issueDate,
        dueDate: addDays(issueDate, 30),
        status: paid ? 'Pagata' : 'Da Pagare',
      });
    }
  }
  // One employee in two places on the same days, and one with free days between two sites.
  const [plant, viaduct, finished] = crews;
  const [, foreman, technician] = plant?.crew ?? [];
  if (viaduct && foreman) await make.assign(customer, viaduct.project, foreman);
  if (finished && technician) await make.assign(customer, finished.project, technician);
}

function fromToday(days: number): CalendarDate {
  return addDays(today, days);
}
