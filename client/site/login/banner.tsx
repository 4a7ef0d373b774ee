import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import styles from './login.module.css';

/** What is told of a form as a whole; `heading` where the kind of failure has a name of its own. */
export type Message = { kind: 'failure' | 'success'; heading?: string | undefined; message: string };

/** Shows a message above the form in sight, or takes it away. */
export type Tell = (message: Message | null) => void;

/** On a phone the button that was pressed is far below. */
function intoView(banner: HTMLElement | null) {
  banner?.scrollIntoView({ block: 'nearest' });
}

/** The one place for messages, which stays while the forms change: screen readers hear only what enters a region they know. */
export function Banner({ told }: { told: Message | null }) {
  const Icon = told?.kind === 'failure' ? IconAlertTriangle : IconCircleCheck;
  return (
    <div role={told?.kind === 'failure' ? 'alert' : 'status'}>
      {told && (
        <p key={told.kind} ref={intoView} className={styles[told.kind]}>
          <Icon size={22} stroke={1.75} aria-hidden="true" />
          <span>
            {told.heading && <strong>{told.heading}</strong>}
            <span>{told.message}</span>
          </span>
        </p>
      )}
    </div>
  );
}
