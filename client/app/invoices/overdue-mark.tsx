import { IconAlertTriangle } from '@tabler/icons-react';
import { type CalendarDate, formatDate } from '#contract/dates.ts';
import styles from './overdue-mark.module.css';

/**
 * That an invoice is late (`isOverdue`), told beside its state: spec §4 knows no state for it.
 * @param since the due date, where it does not stand beside the mark
 */
export function OverdueMark({ since = null }: { since?: CalendarDate | null }) {
  return (
    <span className={styles.overdue}>
      <IconAlertTriangle size="1.15em" stroke={2} aria-hidden="true" />
      scaduta{since && ` il ${formatDate(since)}`}
    </span>
  );
}
