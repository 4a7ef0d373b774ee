/** Runs `task` once the page has nothing else to do. @returns a function that cancels `task` if it has not run yet */
export function whenIdle(task: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!globalThis.requestIdleCallback) {
    const timer = setTimeout(task, 200);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(task);
  return () => cancelIdleCallback(request);
}

/** Whether the browser is told to save data: then nothing is fetched ahead. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
