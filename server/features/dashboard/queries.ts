import { sql } from 'drizzle-orm';
import { DASHBOARD_LIMITS, type Dashboard, dashboardSchema } from '#contract/dashboard.ts';
import { addDays, type CalendarDate } from '#contract/dates.ts';
import { HORIZON_DAYS } from '#contract/horizon.ts';
import { WAITING_STATES } from '#contract/trip-requests.ts';
import type { UserId } from '#server/auth/actor.ts';
import { customerTotals } from '#server/db/invoice-totals.ts';
import { mailMessages } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { undelivered } from '#server/features/mail-messages/queries.ts';

/** A further column: what waits for the provider. Needs an administrator's scope. */
const toManageColumn = sql`, (select json_build_object(
  'sent', coalesce(sum(count) filter (where state = 'Inviata'), 0),
  'inProgress', coalesce(sum(count) filter (where state = 'In lavorazione'), 0),
  'undelivered', (select count(*) from ${mailMessages} where ${undelivered})) from trip_request_counts) as "toManage"`;

/**
 * All figures and lists of Home in one round trip: each list is a JSON column of a single row.
 * @param today in Europe/Rome
 * @param managing whether `owner` is an administrator, who also sees what waits for the provider
 */
export async function findDashboard(
  db: Database,
  owner: UserId,
  today: CalendarDate,
  managing = false,
): Promise<Dashboard> {
  const horizon = addDays(today, HORIZON_DAYS);
  const { names, groups, milestones, invoices, requests, projects } = DASHBOARD_LIMITS;
  const soonDue = sql`user_id = ${owner} and status = 'Da Pagare' and due_date <= ${horizon}::date
    and issue_date <= ${today}::date`;
  const waiting = sql.raw(`('${WAITING_STATES.join("', '")}')`);
  const { rows } = await db.execute(sql`
    with
      totals as materialized (select month, status, count, amount from ${customerTotals(owner, { to: today })} kept),
      -- Somebody on several open sites counts on the first in this order: the rule of currentAssignment (contract/employees.ts).
      open_projects as materialized (
        select id, name, location, start_date, end_date, projected_total, spent_to_date,
          row_number() over (order by
            case when start_date > ${today}::date then 1 when end_date >= ${today}::date then 0 else 2 end,
            abs(${today}::date - case when end_date >= ${today}::date then start_date else end_date end),
            id) as place
        from projects
        where user_id = ${owner} and status <> 'Completato'
      ),
      -- A full join, which also keeps the sites of those who are not away, is merged or hashed: the planner expects so few
      -- of both that it would otherwise look through the one for each of the other.
      crews as materialized (
        select place, count(name)::int as people, array_agg(name) filter (where name is not null) as names
        from (
          select employee_id, min(place) as place
          from open_projects site
          join project_assignments on project_assignments.project_id = site.id and user_id = ${owner}
          group by employee_id) placed
        full join (select id, name from employees where user_id = ${owner} and status = 'in trasferta') away
          on away.id = placed.employee_id
        group by place having count(name) > 0
      ),
      owed as materialized (
        select count(*)::int as soon, count(*) filter (where due_date < ${today}::date) as overdue,
          coalesce(sum(amount) filter (where due_date < ${today}::date), 0) as amount
        from invoices
        where ${soonDue}
      )
    select
      (select count(*)::int from open_projects) as "activeProjects",
      (select coalesce(sum(people), 0)::int from crews) as "travelling",
      (select json_build_object(
        'total', coalesce(sum(amount), 0),
        'paid', coalesce(sum(amount) filter (where status = 'Pagata'), 0),
        'unpaid', coalesce(sum(amount) filter (where status <> 'Pagata'), 0)) from totals) as "spent",
      (select json_build_object('count', coalesce(sum(count), 0), 'amount', coalesce(sum(amount), 0))
        from totals where status <> 'Pagata') as "unpaid",
      (select json_build_object('count', overdue, 'amount', amount) from owed) as "overdue",
      (select coalesce(json_agg(entry), '[]') from (
        select id as "projectId", site.name as "projectName", location, start_date as "from", end_date as "until", people,
          (select array_agg(name order by name) from unnest(names) as name)[1:${names}::int] as "names"
        from (
          select place, people, names from crews
          order by place is null, people desc fetch first ${groups} rows with ties) largest
        left join open_projects site on site.place = largest.place
        order by id is null, people desc, end_date, id limit ${groups}) entry) as "away",
      (select coalesce(json_agg(entry), '[]') from (
        select id as "projectId", name as "projectName", location, event, at as "date",
          (select count(*)::int from project_assignments assigned
            where assigned.project_id = open_projects.id and assigned.user_id = ${owner}) as "people"
        from open_projects
        cross join lateral (values ('start', start_date), ('end', end_date)) as steps (event, at)
        where at between ${today}::date and ${horizon}::date
        order by at, event desc, id limit ${milestones}) entry) as "milestones",
      (select (count(*) filter (where start_date between ${today}::date and ${horizon}::date)
        + count(*) filter (where end_date between ${today}::date and ${horizon}::date))::int
        from open_projects) as "milestonesTotal",
      (select coalesce(json_agg(entry), '[]') from (
        select invoice_number as "number", project_name as "projectName", amount, due_date as "dueDate",
          due_date < ${today}::date as "overdue"
        from invoices where ${soonDue}
        order by due_date, invoice_number limit ${invoices}) entry) as "due",
      (select soon from owed) as "dueSoon",
      json_build_object(
        'waiting', (select count(*) from trip_requests
          where user_id = ${owner} and state in ${waiting}),
        'items', (select coalesce(json_agg(entry), '[]') from (
          select id, city, project_name as "projectName", start_date as "startDate", people, state
          from trip_requests
          where user_id = ${owner} and state in ${waiting}
          order by state = 'Proposta inviata' desc, start_date, id limit ${requests}) entry)) as "requests",
      (select json_agg(entry) from (
        select to_char(first, 'YYYY-MM') as "month", coalesce(sum(amount), 0) as "amount"
        from generate_series(date_trunc('month', ${today}::timestamp) - interval '11 months',
          date_trunc('month', ${today}::timestamp), interval '1 month') as first
        left join totals on month = first::date
        group by first order by first) entry) as "months",
      (select coalesce(json_agg(entry), '[]') from (
        select id as "projectId", name as "projectName", projected_total as "projected", spent_to_date as "spent"
        from open_projects where projected_total > 0 or spent_to_date > 0
        order by greatest(projected_total, spent_to_date) desc, id limit ${projects}) entry) as "budgets",
      (select json_build_object(
        'projects', count(*) filter (where projected_total > 0 or spent_to_date > 0),
        'planned', count(*) filter (where projected_total > 0),
        'over', count(*) filter (where projected_total > 0 and spent_to_date > projected_total))
        from open_projects) as "projections",
      json_build_object(
        'projects', not exists (select from projects where user_id = ${owner}),
        'employees', not exists (select from employees where user_id = ${owner}),
        'invoices', (select coalesce(sum(count), 0) from totals) = 0) as "samples"${managing ? toManageColumn : sql.empty()}`);
  return dashboardSchema.parse({ today, toManage: null, ...rows[0] });
}
