import { IconSelector } from '@tabler/icons-react';
import { toast } from '#client/lib/toast.ts';
import { useChoiceInPlace } from '#client/ui/opener.ts';
import { SAMPLES_ARE_FIXED } from '#client/ui/plain-button.tsx';
import {
  EMPLOYEE_TEXTS,
  type EmployeeStatus,
  isSampleEmployee,
  SWITCHABLE_STATUSES,
} from '#contract/employees.ts';
import { useChangeEmployeeStatus } from './api.ts';
import styles from './status-select.module.css';

/**
 * A select that changes a person's status between 'in trasferta' and 'Rientrato' (spec §4); the change shows at once.
 * @param name how the person is called among those around
 */
export function StatusSelect({
  person,
  name,
}: {
  person: { id: number; status: EmployeeStatus };
  name: string;
}) {
  const change = useChangeEmployeeStatus(person.id);
  const inPlace = useChoiceInPlace();
  const isSample = isSampleEmployee(person.id);
  const settled = SWITCHABLE_STATUSES.some((status) => status === person.status);
  return (
    <span className={styles.field}>
      <select
        className={styles.select}
        aria-label={`Stato di ${name}`}
        value={person.status}
        disabled={isSample}
        aria-describedby={isSample ? SAMPLES_ARE_FIXED : undefined}
        onChange={(event) => {
          const status = SWITCHABLE_STATUSES.find((entry) => entry === event.currentTarget.value);
          if (!status) return;
          inPlace(async () => {
            await change.mutateAsync({ person, status });
            toast({ title: EMPLOYEE_TEXTS.statusChanged });
          });
        }}
      >
        {!settled && (
          <option value={person.status} disabled>
            {person.status}
          </option>
        )}
        {SWITCHABLE_STATUSES.map((status) => (
          <option key={status} value={status}>
            {status}
          </option>
        ))}
      </select>
      <IconSelector className={styles.mark} size={14} stroke={1.75} aria-hidden="true" />
    </span>
  );
}
