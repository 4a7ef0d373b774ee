/** The announcement for a number of wrong fields. */
export const wrongFields = (count: number): string =>
  count === 1 ? 'C’è 1 campo da correggere.' : `Ci sono ${count} campi da correggere.`;

/**
 * Focuses the first field of a form that is marked as wrong.
 * @returns its message if it already had the focus, because a screen reader does not read it again then; otherwise ''
 */
export function focusFirstWrong(form: HTMLElement | null): string {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (!field) return '';
  const message = document.getElementById(`${field.id}-error`)?.textContent ?? '';
  const hadFocus = field === document.activeElement;
  field.focus();
  return hadFocus ? message : '';
}
