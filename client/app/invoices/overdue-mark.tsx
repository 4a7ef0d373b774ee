import { IconAlertTriangle } from '@tabler/icons-react';
import { type CalendarDate, formatDate, withArticle } from '#contract/dates.ts';
import styles from './overdue-mark.module.css';

/**
 * Marks an invoice as overdue (`isOverdue`), beside its state, because spec §4 has no such state.
 * @param since the due date, where it is not shown beside the mark
 */
export function OverdueMark({ since = null }: { since?: CalendarDate | null }) {
  return (
    <span className={styles.overdue}>
      <IconAlertTriangle size="1.15em" stroke={2} aria-hidden="true" />
      scaduta{since && ` ${withArticle('il', formatDate(since))}`}
    </span>
  );
}
