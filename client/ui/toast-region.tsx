import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { dismissToast, type Toast, useToast } from './toast.ts';
import styles from './toast-region.module.css';

/** Time a success stays: enough to read a title and two lines. */
const READING_MS = 10_000;
/** After this even a failure that nobody closed is removed (spec §9). */
const REMOVAL_MS = 1_000_000;

function ToastCard({ title, message, kind }: Toast) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const failure = kind === 'error';
  const held = pointed || focused;

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && dismissToast();
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(dismissToast, failure ? REMOVAL_MS : READING_MS);
    return () => clearTimeout(timer);
  }, [held, failure]);

  const IconOf = failure ? IconAlertTriangle : IconCircleCheck;
  return (
    <div
      className={`${styles.toast} ${failure ? styles.error : styles.success}`}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
    >
      <IconOf className={styles.icon} size={22} stroke={1.75} aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {message && <p className={styles.message}>{message}</p>}
      </div>
      <button
        type="button"
        className={styles.close}
        onClick={dismissToast}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        aria-label="Chiudi notifica"
      >
        <IconX size={20} stroke={1.75} aria-hidden="true" />
      </button>
    </div>
  );
}

/**
 * Where toasts appear, once per document. The live region of successes is always there, and a failure is an alert of its
 * own: screen readers announce what enters. A toast is closed with its button or with Esc; a success leaves by itself
 * unless pointed at or focused, a failure stays.
 */
export function ToastRegion() {
  const toast = useToast();
  const card = toast && <ToastCard key={toast.id} {...toast} />;
  const failure = toast?.kind === 'error';
  return (
    <section className={styles.region} aria-label="Notifiche">
      <div role="status" aria-atomic="true">
        {!failure && card}
      </div>
      {failure && (
        <div key={toast.id} role="alert" aria-atomic="true">
          {card}
        </div>
      )}
    </section>
  );
}
