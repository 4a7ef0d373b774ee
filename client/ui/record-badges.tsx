import styles from './record-badges.module.css';
import { SampleBadge } from './sample-badge.tsx';
import { type Status, StatusBadge } from './status-badge.tsx';

/** Badges for the status of a project or employee, and for sample data. */
export function RecordBadges({ status, sample }: { status: Status; sample: boolean }) {
  return (
    <div className={styles.badges}>
      <StatusBadge status={status} />
      {sample && <SampleBadge />}
    </div>
  );
}
