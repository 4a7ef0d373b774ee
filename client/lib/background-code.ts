/** For code that the user waits for: the connection is down, or a new version was deployed meanwhile. */
export const NOT_LOADED = {
  title: 'Questa parte della pagina non si è caricata',
  message: 'Controlla la connessione e riprova. Se non basta, ricarica la pagina.',
} as const;

let underWay = 0;

/** Whether code is being preloaded. If it is missing on the server, the page must not be reloaded for it. */
export const isLoadingInBackground = (): boolean => underWay > 0;

/**
 * Preloads code.
 * @returns null when it could not be loaded: the connection is down, or a new version was deployed meanwhile
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
