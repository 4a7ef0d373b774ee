import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { dismissToast, useToast } from './toast.ts';
import styles from './toast-region.module.css';

/** Time a success stays: enough to read a title and two lines. */
const READING_MS = 10_000;
/** After this even a failure that nobody closed is removed (spec §9). */
const REMOVAL_MS = 1_000_000;

/**
 * Where toasts appear, once per document. The live region is always there, so that screen readers announce what enters
 * it. A toast is closed with its button or with Esc; a success leaves by itself unless pointed at, a failure stays.
 */
export function ToastRegion() {
  const toast = useToast();
  const [held, setHeld] = useState(false);
  const failure = toast?.kind === 'error';

  useEffect(() => {
    if (!toast) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && dismissToast();
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [toast]);
  useEffect(() => {
    if (!toast || held) return;
    const timer = setTimeout(dismissToast, toast.kind === 'error' ? REMOVAL_MS : READING_MS);
    return () => clearTimeout(timer);
  }, [toast, held]);

  const IconOf = failure ? IconAlertTriangle : IconCircleCheck;
  return (
    <section className={styles.region} aria-label="Notifiche">
      <div role={failure ? 'alert' : 'status'} aria-atomic="true">
        {toast && (
          <div
            className={`${styles.toast} ${failure ? styles.error : styles.success}`}
            onPointerEnter={() => setHeld(true)}
            onPointerLeave={() => setHeld(false)}
          >
            <IconOf className={styles.icon} size={22} stroke={1.75} aria-hidden="true" />
            <div className={styles.words}>
              <p className={styles.title}>{toast.title}</p>
              {toast.message && <p className={styles.message}>{toast.message}</p>}
            </div>
            <button
              type="button"
              className={styles.close}
              onClick={() => {
                setHeld(false);
                dismissToast();
              }}
              aria-label="Chiudi notifica"
            >
              <IconX size={20} stroke={1.75} aria-hidden="true" />
            </button>
          </div>
        )}
      </div>
    </section>
  );
}
