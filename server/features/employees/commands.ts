import { and, eq, inArray, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type crewImportSchema,
  type EmployeeStatus,
  type employeeChangeSchema,
  type employeeInputSchema,
  fullName,
  isCompleteMember,
  type KeyedMember,
  type SwitchableStatus,
} from '#contract/employees.ts';
import { PROJECT_LIMITS, PROJECT_TEXTS } from '#contract/projects.ts';
import type { UserId } from '#server/auth/actor.ts';
import { type Attempt, attemptOf, requireCreated } from '#server/db/idempotency.ts';
import { isOneOf } from '#server/db/one-of.ts';
import { employees, projectAssignments, projects } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import { refuseSampleProject } from '#server/features/projects/policy.ts';
import { refuseSampleEmployee } from './policy.ts';

type Input = z.output<typeof employeeInputSchema>;
type Change = z.output<typeof employeeChangeSchema>;
type Import = z.output<typeof crewImportSchema>;

const UNKNOWN_EMPLOYEE = 'Questo dipendente non esiste più.';

function valuesOf(owner: UserId, { name, surname, ...details }: Input) {
  return { ...details, name: fullName(name, surname), userId: owner };
}

/** Adds one employee unless the owner has already used this key. @returns its id; null if the key was used */
async function insertOnce(
  tx: Database,
  employee: typeof employees.$inferInsert,
  attempt: Attempt | null,
): Promise<number | null> {
  const [row] = await tx
    .insert(employees)
    .values({ ...employee, ...attempt })
    .onConflictDoNothing({ target: [employees.userId, employees.idempotencyKey] })
    .returning({ id: employees.id });
  return row?.id ?? null;
}

/**
 * Adds employees with all their values in one parameter. With a parameter for each value, as the query builder writes them,
 * nothing else is answered for 60 to 80 ms while the statement for 2,000 people is built.
 * @returns their ids
 */
async function insertAll(
  tx: Database,
  people: readonly (ReturnType<typeof valuesOf> & { status: EmployeeStatus })[],
): Promise<number[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into employees (user_id, name, role, department, email, phone, status)
    select "userId", name, role, department, email, phone, status from json_to_recordset(${JSON.stringify(people)})
      as person ("userId" text, name text, role text, department text, email text, phone text, status text)
    returning id`);
  return rows.map(({ id }) => Number(id));
}

/**
 * Adds an employee without a project, with status 'disponibile'.
 * @param attempt idempotency key: repeats of the same owner add one employee; null for none
 * @returns its id
 */
export async function addEmployee(
  tx: Database,
  owner: UserId,
  input: Input,
  attempt: Attempt | null,
): Promise<number> {
  const added = await insertOnce(tx, valuesOf(owner, input), attempt);
  return added ?? (await requireCreated(tx, employees, owner, attempt)).id;
}

/**
 * Adds a project's new members (spec §5) with status 'in trasferta', skipping those without name, surname or role. A
 * member whose key was used before is not added again.
 * @returns the ids of all of them, including those added before
 * @throws AppError idempotency_key_reused
 */
export async function addMembers(tx: Database, owner: UserId, members: KeyedMember[]): Promise<number[]> {
  const complete = members.filter(isCompleteMember).map(({ key = null, ...member }) => ({
    ...member,
    attempt: attemptOf(key, member),
  }));
  if (complete.length === 0) return [];
  const added = await tx
    .insert(employees)
    .values(
      complete.map(({ name, surname, role, attempt }) => ({
        userId: owner,
        name: fullName(name, surname),
        role,
        status: 'in trasferta' as const,
        ...attempt,
      })),
    )
    .onConflictDoNothing({ target: [employees.userId, employees.idempotencyKey] })
    .returning({ id: employees.id, key: employees.idempotencyKey });
  const keys = new Set(added.map(({ key }) => key));
  const ids = added.map(({ id }) => id);
  for (const { attempt } of complete) {
    // Of two members with the same key, the first was added, and the second must be the same.
    if (attempt && !keys.delete(attempt.idempotencyKey))
      ids.push((await requireCreated(tx, employees, owner, attempt)).id);
  }
  return ids;
}

/**
 * Adds employees to the team of a project locked by `tx`; members stay. An edit sends the whole team, so a project with a
 * team over the limit could not be edited any more.
 * @returns how many were not members yet
 * @throws AppError invalid_input for `field` when the team becomes too large
 */
export async function joinTeam(
  tx: Database,
  owner: UserId,
  projectId: number,
  employeeIds: readonly number[],
  field: string,
): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    insert into project_assignments (project_id, employee_id, user_id)
    select ${projectId}, id, ${owner} from unnest(${sql.param(employeeIds)}::bigint[]) as joining (id)
    on conflict do nothing`);
  const size = await tx.$count(
    projectAssignments,
    and(eq(projectAssignments.projectId, projectId), eq(projectAssignments.userId, owner)),
  );
  if (size > PROJECT_LIMITS.team)
    throw new AppError('invalid_input', { [field]: PROJECT_TEXTS.teamTooLarge });
  return rowCount ?? 0;
}

/**
 * The employees of a request that are to join a project, each once. Locked, so that none is deleted before the assignment
 * refers to it.
 * @throws AppError sample_record, unknown_employee for each `employeeIds.N` that is not the owner's
 */
export async function lockEmployees(
  tx: Database,
  owner: UserId,
  named: readonly number[],
): Promise<number[]> {
  const ids = [...new Set(named)];
  ids.forEach(refuseSampleEmployee);
  if (ids.length === 0) return ids;
  const known = await tx
    .select({ id: employees.id })
    .from(employees)
    .where(and(isOneOf(employees.id, ids), eq(employees.userId, owner)))
    .orderBy(employees.id)
    .for('key share');
  if (known.length < ids.length) {
    const found = new Set(known.map(({ id }) => id));
    const unknown = named.flatMap((id, index) =>
      found.has(id) ? [] : [[`employeeIds.${index}`, UNKNOWN_EMPLOYEE]],
    );
    throw new AppError('unknown_employee', Object.fromEntries(unknown));
  }
  return ids;
}

/**
 * Imports a whole crew list, all or nothing: adds its new people, 'in trasferta' on a project and 'disponibile' outside one,
 * and has those who are employees already join the project, with the status they have.
 * @param attempt the same attempt of the same owner adds the list once, however often it is sent; null for none
 * @returns how many were added, and how many of the others are on the project
 * @throws AppError not_found if the project is not the owner's, invalid_input if its team would be too large,
 *   sample_record, unknown_employee
 */
export async function importCrew(
  tx: Database,
  owner: UserId,
  { employees: people, employeeIds: named, projectId }: Import,
  attempt: Attempt | null,
): Promise<{ added: number; assigned: number }> {
  const joins = typeof projectId === 'number';
  if (joins) refuseSampleProject(projectId);
  const status = joins ? ('in trasferta' as const) : ('disponibile' as const);
  const result = { added: people.length, assigned: new Set(named).size };
  const team: number[] = [];
  const [first, ...others] = people.map((person) => ({ ...valuesOf(owner, person), status }));
  if (first) {
    // The first row carries the key: if it is there, the whole list is. Without new people, a repetition changes nothing.
    const firstId = await insertOnce(tx, first, attempt);
    if (!firstId) {
      await requireCreated(tx, employees, owner, attempt);
      return result;
    }
    team.push(firstId);
    if (others.length > 0) team.push(...(await insertAll(tx, others)));
  }
  if (joins) {
    const own = and(eq(projects.id, projectId), eq(projects.userId, owner));
    const [project] = await tx.select({ id: projects.id }).from(projects).where(own).for('no key update');
    if (!project) throw new AppError('not_found', { projectId: 'Il progetto non esiste più.' });
    // After the project, as a deletion locks them: the other order could end in a deadlock.
    team.push(...(await lockEmployees(tx, owner, named)));
    const joined = await joinTeam(tx, owner, projectId, team, 'projectId');
    // An import that changed nothing must not outdate the form in which somebody edits the project.
    if (joined > 0) {
      const raised = { version: sql`${projects.version} + 1`, updatedAt: new Date() };
      await tx.update(projects).set(raised).where(own);
    }
  }
  return result;
}

/**
 * Changes an employee.
 * @returns false, and nothing is written, when somebody changed it after `change.version`
 * @throws AppError sample_record, not_found
 */
export async function changeEmployee(
  tx: Database,
  owner: UserId,
  employeeId: number,
  { version, ...details }: Change,
): Promise<boolean> {
  refuseSampleEmployee(employeeId);
  const own = and(eq(employees.id, employeeId), eq(employees.userId, owner));
  const [row] = await tx.select({ version: employees.version }).from(employees).where(own).for('update');
  if (!row) throw new AppError('not_found');
  if (row.version !== version) return false;
  await tx
    .update(employees)
    .set({ ...details, name: fullName(details.name, ''), version: version + 1, updatedAt: new Date() })
    .where(own);
  return true;
}

/**
 * Switches an employee's status and records the time. The version does not change: edits never write the status, so
 * they cannot overwrite it.
 * @throws AppError sample_record, not_found
 */
export async function changeEmployeeStatus(
  tx: Database,
  owner: UserId,
  employeeId: number,
  status: SwitchableStatus,
): Promise<void> {
  refuseSampleEmployee(employeeId);
  const rows = await tx
    .update(employees)
    .set({ status, updatedAt: new Date() })
    .where(and(eq(employees.id, employeeId), eq(employees.userId, owner)))
    .returning({ id: employees.id });
  if (rows.length === 0) throw new AppError('not_found');
}

/** Deletes an employee with its assignments. @throws AppError sample_record, not_found */
export async function deleteEmployee(tx: Database, owner: UserId, employeeId: number): Promise<void> {
  refuseSampleEmployee(employeeId);
  const own = and(eq(employees.id, employeeId), eq(employees.userId, owner));
  const teams = tx
    .select({ id: projectAssignments.projectId })
    .from(projectAssignments)
    .where(and(eq(projectAssignments.employeeId, employeeId), eq(projectAssignments.userId, owner)));
  await tx
    .update(projects)
    .set({ version: sql`${projects.version} + 1`, updatedAt: new Date() })
    .where(and(inArray(projects.id, teams), eq(projects.userId, owner)));
  const rows = await tx.delete(employees).where(own).returning({ id: employees.id });
  if (rows.length === 0) throw new AppError('not_found');
}
