import { IconX } from '@tabler/icons-react';
import { useEffect, useSyncExternalStore } from 'react';
import styles from './toast.module.css';

type Toast = { title: string; message: string; kind: 'success' | 'error' };

/** How long a toast stays unless it is closed (spec §9). */
const REMOVAL_DELAY_MS = 1_000_000;

let current: Toast | null = null;
const listeners = new Set<() => void>();

function change(next: Toast | null) {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows `toast` in place of the one in sight, if any: there is one at a time (spec §9). */
export function showToast(toast: Toast) {
  change(toast);
}

/**
 * Where toasts appear, once per document. The region is always there, so that screen readers announce what enters it;
 * the last toast can be closed with its button or with Esc.
 */
export function ToastRegion() {
  const toast = useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
  useEffect(() => {
    if (!toast) return;
    const close = () => change(null);
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    const timer = setTimeout(close, REMOVAL_DELAY_MS);
    addEventListener('keydown', closeOnEscape);
    return () => {
      clearTimeout(timer);
      removeEventListener('keydown', closeOnEscape);
    };
  }, [toast]);
  return (
    <div className={styles.region} role={toast?.kind === 'error' ? 'alert' : 'status'}>
      {toast && (
        <div className={`${styles.toast} ${styles[toast.kind]}`}>
          <div>
            <p className={styles.title}>{toast.title}</p>
            <p>{toast.message}</p>
          </div>
          <button
            type="button"
            className={styles.close}
            onClick={() => change(null)}
            aria-label="Chiudi notifica"
          >
            <IconX size={20} stroke={1.75} aria-hidden="true" />
          </button>
        </div>
      )}
    </div>
  );
}
