import { SampleBadge } from '#client/ui/sample-badge.tsx';
import { type Status, StatusBadge } from '#client/ui/status-badge.tsx';
import styles from './record-badges.module.css';

/** The state of a project or of somebody, and whether it is an example. */
export function RecordBadges({ status, sample }: { status: Status; sample: boolean }) {
  return (
    <div className={styles.badges}>
      <StatusBadge status={status} />
      {sample && <SampleBadge />}
    </div>
  );
}
