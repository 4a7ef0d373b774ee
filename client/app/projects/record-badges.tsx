import { SampleBadge } from '#client/ui/sample-badge.tsx';
import { type Status, StatusBadge } from '#client/ui/status-badge.tsx';
import styles from './record-badges.module.css';

/** Badges for the status of a project or employee, and for sample data. */
export function RecordBadges({ status, sample }: { status: Status; sample: boolean }) {
  return (
    <div className={styles.badges}>
      <StatusBadge status={status} />
      {sample && <SampleBadge />}
    </div>
  );
}
