import { and, eq, ne, not, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { SwitchableStatus } from '#contract/employees.ts';
import {
  PROJECT_TEXTS,
  type ProjectStatus,
  type projectChangeSchema,
  type sentProjectSchema,
} from '#contract/projects.ts';
import type { UserId } from '#server/auth/actor.ts';
import { type Attempt, findCreated, requireCreated } from '#server/db/idempotency.ts';
import { toNumeric } from '#server/db/money.ts';
import { isOneOf } from '#server/db/one-of.ts';
import { employees, projectAssignments, projects } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import { addMembers, joinTeam, lockEmployees } from '#server/features/employees/commands.ts';
import { refuseSampleProject } from './policy.ts';

type Input = z.output<typeof sentProjectSchema>;
type Change = z.output<typeof projectChangeSchema>;

/**
 * Creates a project 'In corso' with its team (spec §5, Create project).
 * @param attempt idempotency key: repeats of the same owner create one project; null for none
 * @returns its id
 * @throws AppError project_owner_mismatch when the form was filled in under another account, invalid_input when it ends
 *   before it starts, unknown_employee
 */
export async function createProject(
  tx: Database,
  owner: UserId,
  input: Input,
  attempt: Attempt | null,
): Promise<number> {
  if (input.userId !== undefined && input.userId !== owner) throw new AppError('project_owner_mismatch');
  if (input.endDate < input.startDate) {
    const made = await findCreated(tx, projects, owner, attempt);
    if (!made) throw new AppError('invalid_input', { endDate: PROJECT_TEXTS.endBeforeStart });
    return made.id;
  }
  const [project] = await tx
    .insert(projects)
    .values({
      userId: owner,
      name: input.name,
      location: input.location,
      startDate: input.startDate,
      endDate: input.endDate,
      projectedTotal: toNumeric(input.projectedTotal),
      openingSpent: toNumeric(input.spentToDate),
      ...attempt,
    })
    .onConflictDoNothing({ target: [projects.userId, projects.idempotencyKey] })
    .returning({ id: projects.id });
  if (!project) return (await requireCreated(tx, projects, owner, attempt)).id;
  await setTeam(tx, owner, project.id, input);
  return project.id;
}

/**
 * Locks the invoices of the project that matches `condition`, if there is one, for a change that reaches them from the project: who
 * writes an invoice locks it before its project.
 */
async function holdInvoices(tx: Database, condition: SQL | undefined): Promise<void> {
  await tx.execute(sql`select hold_invoices(${projects.id}) from ${projects} where ${condition}`);
}

/**
 * Changes a project and its team.
 * @returns false, and nothing is written, when somebody changed it after `change.version`
 * @throws AppError sample_record, not_found, unknown_employee, idempotency_key_reused for a new member
 */
export async function changeProject(
  tx: Database,
  owner: UserId,
  projectId: number,
  change: Change,
): Promise<boolean> {
  refuseSampleProject(projectId);
  const own = and(eq(projects.id, projectId), eq(projects.userId, owner));
  await holdInvoices(tx, and(own, ne(projects.name, change.name)));
  const [row] = await tx.select({ version: projects.version }).from(projects).where(own).for('update');
  if (!row) throw new AppError('not_found');
  if (row.version !== change.version) return false;
  await tx
    .update(projects)
    .set({
      name: change.name,
      location: change.location,
      startDate: change.startDate,
      endDate: change.endDate,
      projectedTotal: toNumeric(change.projectedTotal),
      openingSpent: toNumeric(change.openingSpent),
      version: change.version + 1,
      updatedAt: new Date(),
    })
    .where(own);
  await setTeam(tx, owner, projectId, change);
  return true;
}

/**
 * Sets the team of a project to the chosen employees and the new ones.
 * @throws AppError sample_record, unknown_employee with a field for each, idempotency_key_reused, invalid_input when
 *   the team is too large
 */
async function setTeam(
  tx: Database,
  owner: UserId,
  projectId: number,
  { employeeIds: named, newEmployees }: Pick<Change, 'employeeIds' | 'newEmployees'>,
): Promise<void> {
  const employeeIds = await lockEmployees(tx, owner, named);
  const team = [...employeeIds, ...(await addMembers(tx, owner, newEmployees))];
  await tx
    .delete(projectAssignments)
    .where(
      and(
        eq(projectAssignments.projectId, projectId),
        eq(projectAssignments.userId, owner),
        not(isOneOf(projectAssignments.employeeId, team)),
      ),
    );
  if (team.length > 0) await joinTeam(tx, owner, projectId, team, 'employeeIds');
}

/**
 * Closes or reopens a project. The version does not change: edits never write the status, so they cannot overwrite it.
 * @throws AppError sample_record, not_found
 */
export async function changeProjectStatus(
  tx: Database,
  owner: UserId,
  projectId: number,
  status: ProjectStatus,
): Promise<void> {
  refuseSampleProject(projectId);
  const rows = await tx
    .update(projects)
    .set({ status, updatedAt: new Date() })
    .where(and(eq(projects.id, projectId), eq(projects.userId, owner)))
    .returning({ id: projects.id });
  if (rows.length === 0) throw new AppError('not_found');
}

/**
 * Gives everybody on the team of a project the same status, except that those who are not 'in trasferta' have not
 * returned from anywhere. No version changes, as with `changeEmployeeStatus`.
 * @throws AppError sample_record, not_found
 */
export async function changeTeamStatus(
  tx: Database,
  owner: UserId,
  projectId: number,
  status: SwitchableStatus,
): Promise<void> {
  refuseSampleProject(projectId);
  const own = and(eq(projects.id, projectId), eq(projects.userId, owner));
  // Locked before its people, as everywhere, so that it is not deleted meanwhile.
  const rows = await tx.select({ id: projects.id }).from(projects).where(own).for('key share');
  if (rows.length === 0) throw new AppError('not_found');
  const away = 'in trasferta';
  const changing = await tx
    .select({ id: employees.id })
    .from(employees)
    .innerJoin(projectAssignments, eq(projectAssignments.employeeId, employees.id))
    .where(
      and(
        eq(projectAssignments.projectId, projectId),
        eq(employees.userId, owner),
        status === away ? ne(employees.status, away) : eq(employees.status, away),
      ),
    )
    // A fixed lock order, so that teams with the same people cannot deadlock.
    .orderBy(employees.id)
    .for('no key update', { of: employees });
  const ids = changing.map(({ id }) => id);
  await tx
    .update(employees)
    .set({ status, updatedAt: new Date() })
    .where(and(isOneOf(employees.id, ids), eq(employees.userId, owner)));
}

/**
 * Deletes a project and its assignments. Its invoices and requests remain and keep its name.
 * @throws AppError sample_record, not_found
 */
export async function deleteProject(tx: Database, owner: UserId, projectId: number): Promise<void> {
  refuseSampleProject(projectId);
  const own = and(eq(projects.id, projectId), eq(projects.userId, owner));
  await holdInvoices(tx, own);
  const rows = await tx.delete(projects).where(own).returning({ id: projects.id });
  if (rows.length === 0) throw new AppError('not_found');
}
