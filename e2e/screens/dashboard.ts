import type { Page } from '@playwright/test';
import { DASHBOARD_LIMITS, type Dashboard } from '#contract/dashboard.ts';
import { addDays, type CalendarDate, todayInRome } from '#contract/dates.ts';
import { LONGEST } from '../support/extremes.ts';
import { failToAnswer, leaveUnanswered, type Screen } from '../support/screen.ts';

const path = '/app/home';
const today = todayInRome();

/** The first items of `count`, at most `limit`. @param item makes the n-th, from 0; every second one has the longest name */
function shown<Item>(count: number, limit: number, item: (index: number, project: string) => Item): Item[] {
  const length = Math.min(count, limit);
  return Array.from({ length }, (_, index) => item(index, index % 2 === 0 ? LONGEST.project : 'Viadotto'));
}

/** Home of an account with `count` records of each kind, with the longest texts among them. */
function homeWith(count: number): Dashboard {
  const most = count > 1;
  const amount = most ? 487_250_123.45 : 1234.5 * count;
  const people = most ? 2000 : count;
  const onSite = most ? 40 : count;
  const location = 'Civitavecchia, zona industriale di Torrevaldaliga Nord, molo carboni (RM)';
  return {
    today,
    samples: { projects: false, employees: false, invoices: false },
    activeProjects: count,
    travelling: people,
    spent: { total: amount, paid: most ? 0.45 : 0, unpaid: most ? amount - 0.45 : amount },
    unpaid: { count, amount },
    overdue: { count, amount },
    away: shown(count, DASHBOARD_LIMITS.groups, (index, projectName) => ({
      projectId: 100_000 + index,
      projectName,
      location,
      // One is over, others are under way, one has not begun.
      from: addDays(today, 3 * index - 20),
      until: addDays(today, 3 * index - 2),
      people: onSite,
      names: Array.from({ length: Math.min(onSite, DASHBOARD_LIMITS.names) }, () => LONGEST.person),
    })),
    milestones: shown(count, DASHBOARD_LIMITS.milestones, (index, projectName) => ({
      projectId: 100_000 + index,
      projectName,
      location,
      event: index % 3 === 0 ? 'end' : 'start',
      date: addDays(today, index),
      people,
    })),
    milestonesTotal: count,
    due: shown(count, DASHBOARD_LIMITS.invoices, (index, projectName) => ({
      number: `FAT17${String(10_000_000_000 + index)}ABCDEFGH`,
      projectName,
      amount: most ? 999_999.99 : amount,
      dueDate: addDays(today, index - 2),
      overdue: index < 2,
    })),
    dueSoon: count,
    requests: {
      waiting: count,
      items: shown(count, DASHBOARD_LIMITS.requests, (index, projectName) => ({
        id: 100_000 + index,
        city: 'San Giovanni Rotondo e Monte Sant’Angelo, stabilimenti est e ovest',
        projectName,
        startDate: addDays(today, index),
        people,
        state: 'Proposta inviata',
      })),
    },
    months: Array.from({ length: 12 }, (_, index) => ({
      month: addDays(`${today.slice(0, 7)}-15` as CalendarDate, 30 * (index - 11)).slice(0, 7),
      amount: most ? 9_750_000.45 * (index % 5) : index === 11 ? amount : 0,
    })),
    budgets: shown(count, DASHBOARD_LIMITS.projects, (index, projectName) => ({
      projectId: 100_000 + index,
      projectName,
      projected: index % 3 === 2 ? 0 : 99_999_999.99,
      spent: most ? 999_999_999.99 : amount,
    })),
    projections: { projects: count, planned: most ? count - 2 : count, over: most ? count - 2 : 0 },
    toManage: null,
  };
}

function answerWith(count: number): (page: Page) => Promise<void> {
  return async (page) => {
    await page.route('**/api/dashboard', (route) => route.fulfill({ json: homeWith(count) }));
  };
}

const overviewRead = (page: Page) => page.getByRole('heading', { name: 'Spesa per mese' }).waitFor();

export const screens: readonly Screen[] = [
  { name: 'dashboard', path, as: 'customer' },
  { name: 'dashboard-empty', path, as: 'customer', arrange: answerWith(0), prepare: overviewRead },
  { name: 'dashboard-one', path, as: 'customer', arrange: answerWith(1), prepare: overviewRead },
  { name: 'dashboard-thousand', path, as: 'customer', arrange: answerWith(1000), prepare: overviewRead },
  { name: 'dashboard-samples', path, as: 'newCustomer' },
  { name: 'dashboard-admin', path, as: 'admin' },
  {
    name: 'dashboard-admin-loading',
    path,
    as: 'admin',
    arrange: leaveUnanswered('dashboard'),
    prepare: (page) => page.getByRole('heading', { name: 'Da gestire' }).waitFor(),
  },
  {
    name: 'dashboard-numbers',
    path,
    as: 'customer',
    prepare: (page) => page.getByText('i numeri').click(),
  },
  { name: 'dashboard-first-view', path, as: 'customer', arrange: leaveUnanswered('auth/session') },
  {
    name: 'dashboard-loading',
    path,
    as: 'customer',
    arrange: leaveUnanswered('dashboard'),
    prepare: (page) => page.getByRole('button', { name: /^Account di/ }).waitFor(),
  },
  {
    name: 'dashboard-error',
    path,
    as: 'customer',
    arrange: failToAnswer('dashboard'),
    prepare: (page) => page.getByRole('button', { name: 'Riprova' }).waitFor(),
  },
];
