import { and, eq, inArray, sql } from 'drizzle-orm';
import type { z } from 'zod';
import {
  type crewImportSchema,
  type employeeChangeSchema,
  type employeeInputSchema,
  fullName,
  isCompleteMember,
  type KeyedMember,
  type SwitchableStatus,
} from '#contract/employees.ts';
import { PROJECT_LIMITS, PROJECT_TEXTS } from '#contract/projects.ts';
import type { UserId } from '#server/auth/actor.ts';
import { type Attempt, attemptOf, madeBefore } from '#server/db/idempotency.ts';
import { employees, projectAssignments, projects } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import { refuseSampleEmployee } from './policy.ts';

type Input = z.output<typeof employeeInputSchema>;
type Change = z.output<typeof employeeChangeSchema>;
type Import = z.output<typeof crewImportSchema>;

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
  return added ?? (await madeBefore(tx, employees, owner, attempt)).id;
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
    if (attempt && !keys.has(attempt.idempotencyKey))
      ids.push((await madeBefore(tx, employees, owner, attempt)).id);
  }
  return ids;
}

/**
 * Checks that the team of a project locked by `tx` is within the limit; an edit sends the whole team, so a larger
 * project could not be edited any more.
 * @throws AppError invalid_input for `field` when the team is too large
 */
export async function requireTeamFits(
  tx: Database,
  owner: UserId,
  projectId: number,
  field: string,
): Promise<void> {
  const size = await tx.$count(
    projectAssignments,
    and(eq(projectAssignments.projectId, projectId), eq(projectAssignments.userId, owner)),
  );
  if (size > PROJECT_LIMITS.team)
    throw new AppError('invalid_input', { [field]: PROJECT_TEXTS.teamTooLarge });
}

/**
 * Adds a whole crew list, all or nothing, with status 'in trasferta' on a project, otherwise 'disponibile'.
 * @param attempt idempotency key: repeats of the same owner add the list once; null for none
 * @returns how many were added
 * @throws AppError not_found for a project that is not the owner's, invalid_input when its team would be too large
 */
export async function importCrew(
  tx: Database,
  owner: UserId,
  { employees: people, projectId }: Import,
  attempt: Attempt | null,
): Promise<number> {
  const status = projectId ? ('in trasferta' as const) : ('disponibile' as const);
  const [first, ...others] = people.map((person) => ({ ...valuesOf(owner, person), status }));
  // Only the first employee carries the key: the list is added in one transaction, so if it exists, all of them do.
  const firstId = first && (await insertOnce(tx, first, attempt));
  if (!firstId) {
    await madeBefore(tx, employees, owner, attempt);
    return people.length;
  }
  const rows = [
    { id: firstId },
    ...(others.length > 0 ? await tx.insert(employees).values(others).returning({ id: employees.id }) : []),
  ];
  if (projectId) {
    const raised = await tx
      .update(projects)
      .set({ version: sql`${projects.version} + 1`, updatedAt: new Date() })
      .where(and(eq(projects.id, projectId), eq(projects.userId, owner)))
      .returning({ id: projects.id });
    if (raised.length === 0) throw new AppError('not_found', { projectId: 'Il progetto non esiste più.' });
    await tx
      .insert(projectAssignments)
      .values(rows.map(({ id }) => ({ projectId, employeeId: id, userId: owner })));
    await requireTeamFits(tx, owner, projectId, 'projectId');
  }
  return rows.length;
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
