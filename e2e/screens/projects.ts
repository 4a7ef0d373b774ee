import type { Page } from '@playwright/test';
import { addDays, todayInRome } from '#contract/dates.ts';
import { type Employee, sampleEmployees } from '#contract/employees.ts';
import { type Project, sampleProjects, sampleTimeline, type Timeline } from '#contract/projects.ts';
import { firstItems, firstPage, LONGEST } from '../support/extremes.ts';
import {
  answerWrites,
  failToAnswer,
  leaveUnanswered,
  refusal,
  type Screen,
  waitForError,
} from '../support/screen.ts';

const path = '/app/progetti-team';
const team = `${path}?tab=team`;
const today = todayInRome();

/** Opens the dialog of the first button with such a name. */
async function openDialog(page: Page, button: RegExp | string): Promise<void> {
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('dialog').waitFor();
}

const LONG_PLACE = 'Civitavecchia, zona industriale di Torrevaldaliga Nord, molo carboni (RM)';

function projectOf(index: number): Project {
  const [sample] = sampleProjects();
  if (!sample) throw new Error('There are no example projects');
  const long = index % 3 === 0;
  return {
    ...sample,
    id: 100_000 + index,
    name: long ? LONGEST.project : 'Viadotto',
    location: long ? LONG_PLACE : 'Bra',
    startDate: addDays(today, -7 * index),
    endDate: addDays(today, 90 - 7 * index),
    projectedTotal: long ? 999_999_999.99 : 0,
    spentToDate: long ? 1_000_000_000 : 0.01,
    teamSize: long ? 2000 : index % 3,
    team: long ? sample.team.map((member) => ({ ...member, name: LONGEST.person })) : [],
    sample: false,
  };
}

function employeeOf(index: number): Employee {
  const [sample] = sampleEmployees();
  if (!sample) throw new Error('There are no example employees');
  const long = index % 3 === 0;
  return {
    ...sample,
    id: 100_000 + index,
    name: long ? LONGEST.person : 'Bo Li',
    project: long ? LONGEST.project : 'Viadotto',
    location: long ? LONG_PLACE : 'Bra',
    sample: false,
  };
}

function timelineOf(count: number): Timeline {
  const example = sampleTimeline(addDays(today, -30), addDays(today, 150), today);
  const projects = Array.from({ length: count }, (_, index) => projectOf(index));
  return {
    sample: false,
    projects: projects.map((project) => ({ ...project, people: project.teamSize })),
    people: Array.from({ length: count }, (_, index) => ({
      id: 100_000 + index,
      name: employeeOf(index).name,
      role: 'Capocantiere',
      status: 'in trasferta' as const,
      projectIds: index % 3 === 0 ? projects.slice(0, 6).map(({ id }) => id) : [100_001],
      away: example.people[0]?.away ?? [],
    })),
  };
}

/** Answers lists as if there were `count` projects and employees, with the longest texts among them. */
function answerMany(count: number): (page: Page) => Promise<void> {
  return async (page) => {
    await page.route(/\/api\/projects(\?|$)/, (route) =>
      route.fulfill({ json: firstPage(count, projectOf) }),
    );
    await page.route(/\/api\/employees(\?|$)/, (route) =>
      route.fulfill({ json: firstPage(count, employeeOf) }),
    );
    await page.route(/\/api\/projects\/timeline/, (route) => route.fulfill({ json: timelineOf(count) }));
    await page.route(/\/api\/projects\/stats/, (route) =>
      route.fulfill({
        json: {
          sample: false,
          activeProjects: count,
          people: count,
          travelling: count,
          returned: 0,
          available: 0,
          unassigned: count,
          distribution: firstItems(count, (index) => ({
            projectId: 100_000 + index,
            name: projectOf(index).name,
            location: projectOf(index).location,
            people: projectOf(index).teamSize,
          })),
        },
      }),
    );
  };
}

function waitForText(text: string): (page: Page) => Promise<void> {
  return (page) => page.getByText(text).last().waitFor();
}

/** Waits until a list is loaded: 'N di M' is below it. */
function waitForList(name: string): (page: Page) => Promise<void> {
  return (page) =>
    page
      .getByRole('region', { name })
      .getByText(/^[\d.]+ di [\d.]+$/)
      .waitFor();
}

const projectsRead = waitForList('Tutti i Progetti');
const teamRead = waitForList('Team Completo');

export const screens: readonly Screen[] = [
  { name: 'projects', path, as: 'customer', prepare: projectsRead },
  { name: 'projects-samples', path, as: 'newCustomer', prepare: projectsRead },
  { name: 'projects-loading', path, as: 'customer', arrange: leaveUnanswered('projects') },
  {
    name: 'projects-error',
    path,
    as: 'customer',
    arrange: failToAnswer('projects'),
    prepare: waitForError,
  },
  {
    name: 'projects-team',
    path,
    as: 'customer',
    prepare: async (page) => {
      await page.getByRole('tab', { name: 'Team' }).click();
      await teamRead(page);
    },
  },
  {
    name: 'projects-new',
    path,
    as: 'customer',
    async prepare(page) {
      await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'projects-new-wrong',
    path,
    as: 'customer',
    async prepare(page) {
      await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
      await page.getByRole('button', { name: 'Aggiungi dipendente' }).click();
      await page.getByRole('dialog').getByLabel('Nome', { exact: true }).fill('Mario');
      await page.getByRole('button', { name: 'Crea Progetto' }).click();
    },
  },
  {
    name: 'projects-created',
    path,
    as: 'customer',
    arrange: answerWrites('projects', { status: 201, json: projectOf(1) }),
    async prepare(page) {
      await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
      await page.getByRole('textbox', { name: 'Nome Progetto' }).fill('Viadotto');
      await page.getByRole('textbox', { name: 'Località' }).fill('Bra');
      await page.getByRole('button', { name: 'Crea Progetto' }).click();
      await page.getByText('Progetto creato').first().waitFor();
    },
  },
  {
    name: 'projects-restored',
    path,
    as: 'customer',
    async prepare(page) {
      await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
      await page.getByRole('textbox', { name: 'Nome Progetto' }).fill('Viadotto');
      await page.reload();
      await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
      await page.getByText('Abbiamo ritrovato quello che avevi scritto.').waitFor();
    },
  },
  {
    name: 'projects-edit',
    path,
    as: 'customer',
    prepare: (page) => openDialog(page, /^Modifica /),
  },
  {
    name: 'projects-conflict',
    path,
    as: 'customer',
    arrange: answerWrites('projects/', refusal('conflict', { ...projectOf(0), version: 2 })),
    async prepare(page) {
      await openDialog(page, /^Modifica /);
      await page.getByRole('button', { name: 'Salva modifiche' }).click();
      await page.getByText('Qualcuno ha modificato questi dati', { exact: false }).waitFor();
    },
  },
  {
    name: 'projects-delete',
    path,
    as: 'customer',
    prepare: (page) => openDialog(page, /^Elimina /),
  },
  {
    name: 'projects-details',
    path,
    as: 'customer',
    prepare: (page) =>
      page
        .getByRole('button', { name: /^Dettagli di/ })
        .first()
        .click(),
  },
  {
    name: 'projects-nothing-found',
    path: `${path}?cerca=introvabile`,
    as: 'customer',
    prepare: waitForText('Nessun progetto corrisponde alla ricerca'),
  },
  {
    name: 'projects-team-status',
    path,
    as: 'customer',
    async prepare(page) {
      await page.getByRole('button', { name: '5 persone' }).first().click();
      await page.getByRole('button', { name: 'Segna come rientrati (5)' }).click();
      await page.getByRole('dialog', { name: 'Segnare 5 dipendenti come rientrati?' }).waitFor();
    },
  },
  {
    name: 'projects-team-dialog-longest',
    path,
    as: 'customer',
    arrange: answerMany(1),
    prepare: (page) => openDialog(page, '2.000 persone'),
  },
  {
    name: 'projects-team-dialog',
    path,
    as: 'customer',
    prepare: (page) => openDialog(page, '5 persone'),
  },
  {
    name: 'projects-team-details',
    path: team,
    as: 'customer',
    prepare: (page) =>
      page
        .getByRole('button', { name: /^Dettagli di/ })
        .first()
        .click(),
  },
  {
    name: 'projects-team-export',
    path: team,
    as: 'customer',
    async prepare(page) {
      await page.getByRole('button', { name: 'Esporta' }).click();
      await page.getByRole('menuitem', { name: 'CSV (.csv)' }).waitFor();
    },
  },
  {
    name: 'projects-team-nothing-found',
    path: `${team}&cerca=introvabile`,
    as: 'customer',
    prepare: waitForText('Nessun dipendente corrisponde alla ricerca'),
  },
  {
    name: 'projects-employee-new',
    path: team,
    as: 'customer',
    async prepare(page) {
      await page.getByRole('button', { name: 'Aggiungi dipendente' }).click();
      await page.getByRole('button', { name: 'Aggiungi', exact: true }).click();
    },
  },
  {
    name: 'projects-employee-edit',
    path: team,
    as: 'customer',
    prepare: (page) => openDialog(page, /^Modifica /),
  },
  {
    name: 'projects-employee-delete',
    path: team,
    as: 'customer',
    prepare: (page) => openDialog(page, /^Elimina /),
  },
  {
    name: 'projects-import',
    path: team,
    as: 'customer',
    async prepare(page) {
      await page.getByRole('button', { name: 'Importa elenco' }).click();
      const list = 'Nome;Cognome;Ruolo;Email\nMario;Rossi;Tecnico;\nAnna;;Ingegnere;anna@\nLuca;Bo;Mago;';
      await page.getByRole('textbox', { name: 'Elenco del personale' }).fill(list);
    },
  },
  {
    name: 'projects-import-longest',
    path: team,
    as: 'customer',
    async prepare(page) {
      await page.getByRole('button', { name: 'Importa elenco' }).click();
      const list = `Nome;Cognome;Ruolo;Email\n${'A'.repeat(400)};Rossi;Tecnico;\nMarco;Ferri;Tecnico;${LONGEST.email}`;
      await page.getByRole('textbox', { name: 'Elenco del personale' }).fill(list);
      await page.getByText('1 riga da correggere').waitFor();
    },
  },
  { name: 'projects-one', path, as: 'customer', arrange: answerMany(1), prepare: projectsRead },
  {
    name: 'projects-thousand',
    path,
    as: 'customer',
    arrange: answerMany(1000),
    prepare: projectsRead,
  },
  {
    name: 'projects-none',
    path,
    as: 'customer',
    arrange: answerMany(0),
    prepare: waitForText('Nessun progetto in corso'),
  },
  { name: 'projects-team-loading', path: team, as: 'customer', arrange: leaveUnanswered('employees') },
  {
    name: 'projects-calendar-loading',
    path: team,
    as: 'customer',
    arrange: leaveUnanswered('projects/timeline'),
  },
  {
    name: 'projects-calendar-table',
    path: team,
    as: 'customer',
    prepare: (page) =>
      page
        .getByRole('region', { name: 'Calendario trasferte' })
        .getByText('Tabella', { exact: true })
        .click(),
  },
  {
    name: 'projects-calendar-projects',
    path: team,
    as: 'customer',
    prepare: (page) =>
      page
        .getByRole('region', { name: 'Calendario trasferte' })
        .getByText('Progetti', { exact: true })
        .click(),
  },
  {
    name: 'projects-team-error',
    path: team,
    as: 'customer',
    arrange: failToAnswer('employees'),
    prepare: waitForError,
  },
  { name: 'projects-team-samples', path: team, as: 'newCustomer', prepare: teamRead },
  {
    name: 'projects-team-one',
    path: team,
    as: 'customer',
    arrange: answerMany(1),
    prepare: teamRead,
  },
  {
    name: 'projects-team-thousand',
    path: team,
    as: 'customer',
    arrange: answerMany(1000),
    prepare: teamRead,
  },
  {
    name: 'projects-team-none',
    path: team,
    as: 'customer',
    arrange: answerMany(0),
    prepare: waitForText('Nessun dipendente trovato.'),
  },
];
