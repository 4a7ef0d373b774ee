/** Runs `task` once the page is idle. @returns a function that cancels `task` if it has not run yet */
export function whenIdle(task: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!globalThis.requestIdleCallback) {
    const timer = setTimeout(task, 200);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(task);
  return () => cancelIdleCallback(request);
}

/** Whether the browser is in data saving mode; nothing is prefetched then. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
