import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import styles from './login.module.css';

/** What went wrong, in words; `heading` where the kind of failure has a name of its own. */
export type Failure = { heading?: string | undefined; message: string };

/** On a phone the button that was pressed is far below. */
function intoView(banner: HTMLElement | null) {
  banner?.scrollIntoView({ block: 'nearest' });
}

/** What a form has to say as a whole. The region is always there, so that screen readers hear what enters it. */
export function Banner({ failure, success }: { failure?: Failure | null; success?: string | null }) {
  const shown = failure?.message ?? success;
  return (
    <div role={failure ? 'alert' : 'status'}>
      {shown && (
        <p
          key={failure ? 'failure' : 'success'}
          ref={intoView}
          className={failure ? styles.failure : styles.success}
        >
          {failure ? (
            <IconAlertTriangle size={22} stroke={1.75} aria-hidden="true" />
          ) : (
            <IconCircleCheck size={22} stroke={1.75} aria-hidden="true" />
          )}
          <span>
            {failure?.heading && <strong className={styles.failureHeading}>{failure.heading}</strong>}
            <span>{shown}</span>
          </span>
        </p>
      )}
    </div>
  );
}
