import { useLayoutEffect } from 'react';

let covers = 0;
const waiting = new Set<() => void>();

function note(change: 1 | -1): void {
  covers += change;
  document.documentElement.toggleAttribute('data-covered', covers > 0);
  if (covers > 0) return;
  const tasks = [...waiting];
  waiting.clear();
  for (const task of tasks) task();
}

/**
 * While a dialog covers the page the document says so, and its style sheet keeps what is under it from scrolling. A selector
 * that asks for an open dialog (`:has`) would look through the page again after each of its changes.
 */
export function useCover(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    note(1);
    return () => note(-1);
  }, [opened]);
}

/** Whether a dialog covers the page. */
export function isCovered(): boolean {
  return covers > 0;
}

/**
 * Runs `task` now, or once no dialog covers the page. For what renders its entries anew: a dialog that belongs to one of
 * them would be gone, with what was typed into it.
 * @returns forgets the task
 */
export function whenUncovered(task: () => void): () => void {
  if (!isCovered()) task();
  else waiting.add(task);
  return () => waiting.delete(task);
}
