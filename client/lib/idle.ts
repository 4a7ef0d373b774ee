/** Runs `task` once the page has nothing else to do. @returns what forgets it, where it has not run yet */
export function whenIdle(task: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!globalThis.requestIdleCallback) {
    const timer = setTimeout(task, 200);
    return () => clearTimeout(timer);
  }
  const request = requestIdleCallback(task);
  return () => cancelIdleCallback(request);
}

/** Whether the person asks to save on data: then nothing is fetched that was not asked for. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
