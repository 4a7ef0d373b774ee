/**
 * Copies `text`. @returns whether it succeeded; the browser may refuse, and has no clipboard on a page without HTTPS
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
