import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import styles from './login.module.css';

/** A message about a form as a whole; `heading` if the kind of failure has its own. */
export type Message = { kind: 'failure' | 'success'; heading?: string | undefined; message: string };

/** Shows a message above the visible form, or removes it. */
export type ShowMessage = (message: Message | null) => void;

/** On a phone the pressed button is far below the banner. */
function intoView(banner: HTMLElement | null) {
  banner?.scrollIntoView({ block: 'nearest' });
}

/**
 * The only live region for messages; it stays while the forms change, because screen readers only announce changes
 * inside an existing region.
 */
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
