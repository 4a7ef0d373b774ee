/** Long enough to be seen; a tap ends before the browser shows its own feedback. */
const SHOWN_MS = 150;

/**
 * Marks an element with `data-pressed` for a moment (client/app/shell/touch.css), so that the next frame confirms the press
 * or the key, whatever it does and however long that takes.
 */
export function markPressed(element: Element): void {
  element.setAttribute('data-pressed', '');
  setTimeout(() => element.removeAttribute('data-pressed'), SHOWN_MS);
}
