let underWay = 0;

/** Whether code is being loaded that nobody waits for: if it is missing on the server, the page is not reloaded for it. */
export const isLoadingInBackground = (): boolean => underWay > 0;

/**
 * Loads code that nobody has asked for yet.
 * @returns null when it did not come: the connection is gone, or a new version was deployed meanwhile
 */
export async function loadInBackground<Code>(load: () => Promise<Code>): Promise<Code | null> {
  underWay += 1;
  try {
    return await load();
  } catch {
    return null;
  } finally {
    underWay -= 1;
  }
}
