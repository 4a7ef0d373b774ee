import { useSyncExternalStore } from 'react';

/** What a toast says. `error` is the destructive kind of spec §8. */
export type Toast = {
  title: string;
  message?: string | undefined;
  kind?: 'success' | 'error';
  /** Where it is not that of the application. */
  lang?: string;
};

/** A toast in sight. What is said twice is two toasts: each is announced, and stays its own time. */
type ShownToast = Toast & { id: number };

let count = 0;
let current: ShownToast | null = null;
const listeners = new Set<() => void>();

function change(next: ShownToast | null) {
  current = next;
  for (const listener of listeners) listener();
}

/**
 * Shows a toast in place of the one in sight, if any: there is one at a time (spec §9). It outlives the page that shows
 * it, so that what is said on leaving is heard on arrival.
 * @returns what takes it away, unless another one has taken its place
 */
export function toast(next: Toast): () => void {
  count += 1;
  const id = count;
  change({ ...next, id });
  return () => {
    if (current?.id === id) change(null);
  };
}

/** Tells of a failure in its own words. For `then`: the callbacks of mutate() are dropped with the component that calls it. */
export function toastFailure(error: Error): void {
  toast({ title: error.message, kind: 'error' });
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
