import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type CalendarDate, todayInRome } from '#contract/dates.ts';
import { containWords, foldText } from '#contract/lists.ts';
import {
  isSampleProject,
  type Project,
  type ProjectListQuery,
  projectProgress,
  sampleProjects,
  sampleTeamStats,
  sampleTimeline,
  type TeamMember,
  type TeamStats,
  type Timeline,
} from '#contract/projects.ts';
import type { UserId } from '#server/auth/actor.ts';
import { type Page, pageOfSamples, type SortKey, sortKey } from '#server/db/keyset.ts';
import { fromNumeric } from '#server/db/money.ts';
import { listOwn } from '#server/db/own-list.ts';
import { employees, projectAssignments, projects } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { containsEachWord, containsFolded } from '#server/db/search.ts';
import { selectionOf } from '#server/db/selection.ts';

const SORTS: Record<ProjectListQuery['sort'], SortKey> = {
  createdAt: sortKey('"projects"."id"', 'bigint'),
  name: sortKey('fold("projects"."name")', 'text'),
  location: sortKey('fold("projects"."location")', 'text'),
  startDate: sortKey('"projects"."start_date"', 'date'),
  endDate: sortKey('"projects"."end_date"', 'date'),
  // Completed ones after those 'In corso'.
  nextEnd: sortKey(`("projects"."status" = 'Completato')::text || "projects"."end_date"`, 'text'),
  teamSize: sortKey(
    `(select count(*) from "project_assignments" "a"
      where "a"."project_id" = "projects"."id" and "a"."user_id" = "projects"."user_id")`,
    'bigint',
  ),
  projectedTotal: sortKey('"projects"."projected_total"', 'numeric'),
  spentToDate: sortKey('"projects"."spent_to_date"', 'numeric'),
  status: sortKey('"projects"."status"', 'text'),
};

/**
 * A project's assignments and employees; more conditions can be appended. A foreign key guarantees that assignment and
 * employee have the same owner: repeating that condition would make the planner search all of the owner's employees.
 */
const ON_THE_TEAM = sql`${projectAssignments} "a"
  join ${employees} "e" on "e"."id" = "a"."employee_id"
  where "a"."project_id" = ${projects.id} and "a"."user_id" = ${projects.userId}`;

/** Whether a word matches the name, the place, or the name of a team member. */
function matches(word: string): SQL {
  const pattern = containsFolded(word);
  return sql`(fold(${projects.name}) like ${pattern} or fold(${projects.location}) like ${pattern} or exists (
    select from ${ON_THE_TEAM} and fold("e"."name") like ${pattern}))`;
}

const selection = selectionOf(getTableColumns(projects));

/** The team of each project, joined laterally: one statement for any number of projects. */
const CREW = sql`left join lateral (
  select count(*)::int as "teamSize", coalesce(jsonb_agg(jsonb_build_object(
    'id', e.id, 'name', e.name, 'role', e.role, 'status', e.status
  ) order by fold(e.name), e.id), '[]') as "team"
  from ${ON_THE_TEAM}
) crew on true`;

type Crew = { teamSize: number; team: TeamMember[] };

function read(found: Crew & Record<string, unknown>, today: CalendarDate): Project {
  const row = selection.read(found);
  const { teamSize, team } = found;
  return {
    ...row,
    teamSize,
    team,
    progress: projectProgress(row.startDate, row.endDate, today),
    projectedTotal: fromNumeric(row.projectedTotal),
    openingSpent: fromNumeric(row.openingSpent),
    spentToDate: fromNumeric(row.spentToDate),
    sample: false,
    createdAt: row.createdAt.toISOString(),
  };
}

/** A page of the owner's projects, or of the sample ones while the owner has none (spec §3). */
export async function listProjects(
  db: Database,
  owner: UserId,
  query: ProjectListQuery,
): Promise<Page<Project>> {
  const today = todayInRome();
  return listOwn(db, owner, query, {
    table: projects,
    sorts: SORTS,
    filter: and(
      eq(projects.userId, owner),
      query.status && eq(projects.status, query.status),
      query.search ? containsEachWord(query.search, matches) : undefined,
    ),
    columns: sql`${selection.columns}, crew.*`,
    joins: CREW,
    present: (row: Crew & Record<string, unknown>) => read(row, today),
    samples: () => samplesOf(query, today),
  });
}

const SAMPLE_SORTS: Record<ProjectListQuery['sort'], (sample: Project) => string | number> = {
  createdAt: ({ id }) => id,
  name: ({ name }) => foldText(name),
  location: ({ location }) => foldText(location),
  startDate: ({ startDate }) => startDate,
  endDate: ({ endDate }) => endDate,
  nextEnd: ({ status, endDate }) => `${status === 'Completato'}${endDate}`,
  teamSize: ({ teamSize }) => teamSize,
  projectedTotal: ({ projectedTotal }) => projectedTotal,
  spentToDate: ({ spentToDate }) => spentToDate,
  status: ({ status }) => status,
};

function samplesOf(query: ProjectListQuery, today: CalendarDate): Page<Project> {
  const { search, status } = query;
  const items = sampleProjects(today).filter(
    (project) =>
      (!status || project.status === status) &&
      containWords([project.name, project.location, ...project.team.map(({ name }) => name)], search ?? ''),
  );
  return pageOfSamples(items, SAMPLE_SORTS, query);
}

/** One project of the owner, or a sample one by its id; null when there is none. */
export async function findProject(db: Database, owner: UserId, projectId: number): Promise<Project | null> {
  const today = todayInRome();
  if (isSampleProject(projectId)) {
    return sampleProjects(today).find((project) => project.id === projectId) ?? null;
  }
  const { rows } = await db.execute<Crew>(sql`
    select ${selection.columns}, crew.* from projects ${CREW}
    where projects.id = ${projectId} and projects.user_id = ${owner}`);
  return rows[0] ? read(rows[0], today) : null;
}

/** Whether `owner` has neither projects nor employees, so that sample records are shown. */
function hasNothing(owner: UserId) {
  return sql<boolean>`not exists (select from projects where user_id = ${owner})
    and not exists (select from employees where user_id = ${owner})`;
}

/**
 * The locations of the employees on the owner's projects 'In corso'; the sample ones' while the owner has no records
 * (spec §3).
 */
export async function findTeamStats(db: Database, owner: UserId): Promise<TeamStats> {
  const [row] = await db
    .select({
      sample: hasNothing(owner),
      unassigned: sql<number>`(select count(*)::int from employees where user_id = ${owner}) - count(*)::int`,
      people: sql<number>`count(*)::int`,
      travelling: sql<number>`(count(*) filter (where crew.status = 'in trasferta'))::int`,
      returned: sql<number>`(count(*) filter (where crew.status = 'Rientrato'))::int`,
      available: sql<number>`(count(*) filter (where crew.status = 'disponibile'))::int`,
      distribution: sql<TeamStats['distribution']>`(
        select coalesce(jsonb_agg(jsonb_build_object(
          'projectId', d.id, 'name', d.name, 'location', d.location,
          'startDate', d.start_date, 'endDate', d.end_date, 'people', d.people
        ) order by d.people desc, fold(d.name), d.id), '[]')
        from (
          select p.id, p.name, p.location, p.start_date, p.end_date, count(a.employee_id)::int as people
          from projects p left join project_assignments a on a.project_id = p.id and a.user_id = p.user_id
          where p.user_id = ${owner} and p.status = 'In corso' group by p.id
        ) d)`,
    })
    .from(
      sql`(select distinct e.id, e.status from employees e
        join project_assignments a on a.employee_id = e.id and a.user_id = e.user_id
        join projects p on p.id = a.project_id
        where p.user_id = ${owner} and p.status = 'In corso') crew`,
    );
  if (!row || row.sample) return sampleTeamStats();
  return { ...row, activeProjects: row.distribution.length };
}

/** Who is where between two days, inclusive; the sample records while the owner has none. */
export async function findTimeline(
  db: Database,
  owner: UserId,
  { from, to }: { from: CalendarDate; to: CalendarDate },
): Promise<Timeline> {
  const shown = sql`p.start_date <= ${to} and p.end_date >= ${from}`;
  const [row] = await db
    .select({
      sample: hasNothing(owner),
      projects: sql<Timeline['projects']>`(
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', p.id, 'name', p.name, 'location', p.location, 'startDate', p.start_date, 'endDate', p.end_date,
          'status', p.status,
          'people', (select count(*) from project_assignments a where a.project_id = p.id and a.user_id = p.user_id)
        ) order by p.start_date, fold(p.name), p.id), '[]')
        from projects p where p.user_id = ${owner} and ${shown})`,
      people: sql<Timeline['people']>`coalesce(jsonb_agg(jsonb_build_object(
        'id', e.id, 'name', e.name, 'role', e.role, 'status', e.status, 'projectIds', coalesce(crew.projects, '[]'),
        'lastEnd', crew.last_end, 'nextStart', crew.next_start, 'away', coalesce(times.away, '[]')
      ) order by fold(e.name), e.id), '[]')`,
    })
    .from(
      // Full joins are merged or hashed. Although both sides contain only the owner's employees, other joins could
      // become nested loops, because the planner expects few employees per customer.
      // The last status lasts until today, or is in the future when the clock has been set back since.
      sql`(select id, name, role, status from employees where user_id = ${owner}) e
      full join (
        select a.employee_id, jsonb_agg(p.id order by p.start_date, p.id) filter (where ${shown}) as projects,
          max(p.end_date) filter (where p.end_date < ${from}) as last_end,
          min(p.start_date) filter (where p.start_date > ${to}) as next_start
        from project_assignments a join projects p on p.id = a.project_id
        where p.user_id = ${owner} group by a.employee_id
      ) crew on crew.employee_id = e.id
      full join (
        select employee_id, jsonb_agg(jsonb_build_object('startDate', lower(days), 'endDate', upper(days) - 1)
          order by lower(days)) as away
        from (
          select employee_id, unnest(range_agg(
            daterange(greatest(since, ${from}::date), least(until, ${to}::date), '[]'))) as days
          from (
            select c.employee_id, c.status, (c.at at time zone 'Europe/Rome')::date as since,
              (lead(c.at, 1, greatest(now(), c.at)) over (partition by c.employee_id order by c.at, c.id)
                at time zone 'Europe/Rome')::date as until
            from employee_status_changes c where c.user_id = ${owner}
          ) changes
          where status = 'in trasferta' and since <= ${to}::date and until >= ${from}::date
          group by employee_id
        ) whole group by employee_id
      ) times on times.employee_id = e.id`,
    );
  return !row || row.sample ? sampleTimeline(from, to, todayInRome()) : row;
}
