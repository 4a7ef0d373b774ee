import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { andOthers, people } from '#client/lib/words.ts';
import { type CalendarDate, period as periodText } from '#contract/dates.ts';
import { type Assignment, datesOverlap, type Employee } from '#contract/employees.ts';
import styles from './employee-picker.module.css';

/** The dates of a project. */
export type Period = { startDate: CalendarDate; endDate: CalendarDate };

/** The first assignment of `employee` on another project 'In corso' that overlaps `period`. */
export function clashOf(
  employee: Employee,
  period: Period | null,
  projectId: number | undefined,
): Assignment | undefined {
  if (!period) return undefined;
  return employee.assignments.find(
    (entry) => !entry.completed && entry.projectId !== projectId && datesOverlap(entry, period),
  );
}

function Warning({ clashing }: { clashing: readonly { employee: Employee; clash: Assignment }[] }) {
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={`${people(clashing.length)} ${clashing.length === 1 ? 'ha' : 'hanno'} un’altra trasferta negli stessi giorni`}
    >
      <ul className={styles.warnings}>
        {clashing.slice(0, 5).map(({ employee, clash }) => (
          <li key={employee.id}>
            {employee.name}: {clash.projectName}, {periodText(clash.startDate, clash.endDate)}
          </li>
        ))}
        {clashing.length > 5 && <li>{andOthers(clashing.length - 5, 'persona', 'persone')}</li>}
      </ul>
      Puoi salvare lo stesso.
    </Alert>
  );
}

/** Says who of the employees is elsewhere on the same days. */
export function ClashWarning({
  employees,
  period,
  projectId,
}: {
  employees: readonly Employee[];
  period: Period | null;
  projectId: number | undefined;
}) {
  const clashing = employees.flatMap((employee) => {
    const clash = clashOf(employee, period, projectId);
    return clash ? [{ employee, clash }] : [];
  });
  return <div role="status">{clashing.length > 0 && <Warning clashing={clashing} />}</div>;
}
