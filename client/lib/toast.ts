import { useSyncExternalStore } from 'react';

/** The content of a toast. `error` is the destructive kind of spec §8. */
export type Toast = {
  title: string;
  message?: string | undefined;
  kind?: 'success' | 'error';
  /** If different from the application's. */
  lang?: string;
};

/** A visible toast. Repeating a message creates a new toast, which is announced again and stays its own time. */
type ShownToast = Toast & { id: number };

let count = 0;
let current: ShownToast | null = null;
const listeners = new Set<() => void>();

function change(next: ShownToast | null) {
  current = next;
  for (const listener of listeners) listener();
}

/**
 * Shows a toast, replacing the visible one: there is only one at a time (spec §9). It outlives the page that shows it,
 * so that a message shown when leaving a page is announced on the next.
 * @returns removes the toast, unless another has replaced it
 */
export function toast(next: Toast): () => void {
  count += 1;
  const id = count;
  change({ ...next, id });
  return () => {
    if (current?.id === id) change(null);
  };
}

/**
 * Shows an error's message, unless a read was aborted because the account is being left. Use it in `then`: the
 * callbacks of mutate() are dropped when the calling component unmounts.
 */
export function toastFailure(error: Error): void {
  if (error.name !== 'AbortError') toast({ title: error.message, kind: 'error' });
}

/** Takes the toast away. */
export function dismissToast(): void {
  change(null);
}

/** The toast in sight, or null. */
export function useToast(): ShownToast | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
    () => null,
  );
}
