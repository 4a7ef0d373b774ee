import type { UseFormReturnType } from '@mantine/form';
import { ApiError } from '#client/lib/api.ts';
import type { Difference } from '#client/lib/edit-conflict.ts';
import { randomKey } from '#client/lib/idempotency.ts';
import { counted, dateWords, euroWords, people } from '#client/lib/words.ts';
import { isCalendarDate, todayInRome } from '#contract/dates.ts';
import { fullName, isCompleteMember, type KeyedMember, type NewMember } from '#contract/employees.ts';
import { figure } from '#contract/figures.ts';
import {
  defaultEndDate,
  type Project,
  type ProjectInput,
  type projectInputSchema,
} from '#contract/projects.ts';
import type { z } from '#contract/validation.ts';

/** The form's values: dates and amounts may be incomplete text. */
export type ProjectValues = {
  name: string;
  location: string;
  startDate: string;
  endDate: string;
  projectedTotal: number | string;
  spent: number | string;
  employeeIds: number[];
  newEmployees: NewMember[];
};

/** The part of the form that its fields need. */
export type ProjectForm = Pick<
  UseFormReturnType<ProjectValues>,
  'values' | 'errors' | 'getInputProps' | 'setFieldValue' | 'insertListItem' | 'removeListItem'
>;

/** Initial values for a new project. */
export const EMPTY_PROJECT: ProjectValues = {
  name: '',
  location: '',
  startDate: '',
  endDate: '',
  projectedTotal: '',
  spent: '',
  employeeIds: [],
  newEmployees: [],
};

/** Initial values for editing a project. */
export function valuesOf(project: Project): ProjectValues {
  const { name, location, startDate, endDate, projectedTotal, openingSpent, team } = project;
  const employeeIds = team.map(({ id }) => id);
  return {
    name,
    location,
    startDate,
    endDate,
    projectedTotal,
    spent: openingSpent,
    employeeIds,
    newEmployees: [],
  };
}

/**
 * Removes employees from the selection that the server rejected because they no longer exist: they have no checkbox.
 * @param ids the selection as sent
 * @returns an error that reports the removal; any other `error` unchanged
 */
export function withoutGoneEmployees(
  form: Pick<ProjectForm, 'setFieldValue'>,
  ids: readonly number[],
  error: unknown,
): unknown {
  if (!(error instanceof ApiError) || error.code !== 'unknown_employee') return error;
  const { status, code, requestId, fields } = error;
  const known = ids.filter((_, index) => !(`employeeIds.${index}` in fields));
  form.setFieldValue('employeeIds', known);
  const gone = ids.length - known.length;
  const words =
    gone === 1
      ? 'Uno dei dipendenti scelti non esiste più: lo abbiamo tolto dal team.'
      : `${figure(gone)} dei dipendenti scelti non esistono più: li abbiamo tolti dal team.`;
  return new ApiError({ status, code, requestId, message: `${words} Controlla e invia di nuovo.` });
}

/** Whether anything of a new employee was entered. */
export const isStarted = ({ name, surname, role }: NewMember) =>
  name.trim() !== '' || surname.trim() !== '' || role !== '';

/** Whether a new employee is not added because something is missing (spec §5). */
export const isIncomplete = (member: NewMember) => isStarted(member) && !isCompleteMember(member);

/** Says that the incomplete new employees were not added; undefined if there were none. */
export function leftOut({ newEmployees }: ProjectValues): string | undefined {
  const count = newEmployees.filter(isIncomplete).length;
  if (count === 0) return undefined;
  return `${counted(count, 'persona non è stata aggiunta', 'persone non sono state aggiunte')}: servono nome, cognome e ruolo.`;
}

/** The input for the API, before validation: empty fields get their defaults. */
export function inputOf({
  startDate,
  endDate,
  projectedTotal,
  spent,
  newEmployees,
  ...values
}: ProjectValues) {
  return {
    ...values,
    startDate: startDate || null,
    endDate: endDate || null,
    projectedTotal: projectedTotal === '' ? null : projectedTotal,
    spent: spent === '' ? null : spent,
    newEmployees,
  };
}

/**
 * A valid new project as it is sent: the server fills in empty dates. With today's, the same form sent again after
 * midnight would be another project.
 */
export function withDatesAsEntered(
  project: z.output<typeof projectInputSchema>,
  entered: Pick<ProjectValues, 'startDate' | 'endDate'>,
): ProjectInput {
  return {
    ...project,
    startDate: entered.startDate === '' ? null : project.startDate,
    endDate: entered.endDate === '' ? null : project.endDate,
  };
}

/**
 * Idempotency keys for the new employees of one edit: sending it again after a lost response or a conflict creates
 * nobody twice.
 * @returns a function that adds a key to each employee; the key stays the same until the employee's data change
 */
export function keyingMembers(): (members: readonly NewMember[]) => KeyedMember[] {
  const keys = new Map<string, string>();
  return (members) => {
    const seen: string[] = [];
    return members.map((member) => {
      const text = JSON.stringify(member);
      const nth = seen.filter((other) => other === text).length;
      seen.push(text);
      const key = keys.get(text + nth) ?? randomKey();
      keys.set(text + nth, key);
      return { ...member, key };
    });
  };
}

/** The fields of a project, with the form's values as they are stored: an empty field has its default. */
export function differencesOf(mine: ProjectValues, saved: Project): Difference[] {
  const startDate = mine.startDate || todayInRome();
  const endDate = mine.endDate || (isCalendarDate(startDate) ? defaultEndDate(startDate) : '');
  const chosen = new Set(mine.employeeIds);
  const added = mine.newEmployees
    .filter(isCompleteMember)
    .map(({ name, surname, role }) => `${fullName(name, surname)}, ${role}`);
  const others = saved.team.filter(({ id }) => !chosen.has(id)).map(({ name, role }) => `${name}, ${role}`);
  const team = people(chosen.size + added.length);
  const sameTeam =
    chosen.size + others.length === saved.teamSize && added.sort().join('\n') === others.sort().join('\n');
  return [
    { field: 'Nome', mine: mine.name, saved: saved.name },
    { field: 'Località', mine: mine.location, saved: saved.location },
    { field: 'Inizio', mine: dateWords(startDate), saved: dateWords(saved.startDate) },
    { field: 'Fine', mine: dateWords(endDate), saved: dateWords(saved.endDate) },
    {
      field: 'Proiezione',
      mine: euroWords(mine.projectedTotal || 0),
      saved: euroWords(saved.projectedTotal),
    },
    { field: 'Spesa iniziale', mine: euroWords(mine.spent || 0), saved: euroWords(saved.openingSpent) },
    {
      field: 'Team',
      mine: team,
      saved: sameTeam
        ? team
        : [people(saved.teamSize), saved.team.map(({ name }) => name).join(', ')].filter(Boolean).join(': '),
    },
  ];
}
