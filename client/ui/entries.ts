/** The list entries in `part`, in their order, without those of a list in the details of another entry. */
export function entriesIn(part: Element): HTMLElement[] {
  const own = part.closest('[data-details]');
  const entries = [...part.querySelectorAll<HTMLElement>('[data-entry]')];
  return entries.filter((entry) => entry.closest('[data-details]') === own);
}
