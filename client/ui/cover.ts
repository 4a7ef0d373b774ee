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
 * Marks the document while a dialog covers the page, so that the style sheet can stop the page below from scrolling. A
 * `:has` selector for an open dialog would be evaluated again after every change of the page.
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
 * Runs `task` now, or once no dialog covers the page. For tasks that render list entries again: a dialog that belongs
 * to an entry would disappear together with what was typed into it.
 * @returns cancels the task
 */
export function whenUncovered(task: () => void): () => void {
  if (!isCovered()) task();
  else waiting.add(task);
  return () => waiting.delete(task);
}
