/** Copies `text`. @returns whether the browser did: it may refuse, and has no clipboard at all on a page without HTTPS */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
