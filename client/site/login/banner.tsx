import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import styles from './login.module.css';

/** What a form has to say as a whole. The region is always there, so that screen readers hear what enters it. */
export function Banner({ failure, success }: { failure?: string | null; success?: string | null }) {
  const shown = failure ?? success;
  return (
    <div role={failure ? 'alert' : 'status'}>
      {shown && (
        <p className={failure ? styles.failure : styles.success}>
          {failure ? (
            <IconAlertTriangle size={22} stroke={1.75} aria-hidden="true" />
          ) : (
            <IconCircleCheck size={22} stroke={1.75} aria-hidden="true" />
          )}
          {shown}
        </p>
      )}
    </div>
  );
}
