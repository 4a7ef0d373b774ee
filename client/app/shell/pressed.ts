import { useEffect } from 'react';

const PRESSED =
  'a, button, summary, [role="button"], [role="menuitem"], [role="option"], [role="tab"], [role="combobox"][aria-expanded="false"]';

/** Long enough to be seen; a tap ends before the browser shows its own feedback. */
const SHOWN_MS = 150;

/**
 * Marks the pressed element with `data-pressed` for a moment (touch.css), so that the next frame confirms the press,
 * whatever it does and however long that takes. Used by the application's frame.
 */
export function usePressedMark(): void {
  useEffect(() => {
    const mark = ({ target }: MouseEvent) => {
      const pressed = target instanceof Element ? target.closest(PRESSED) : null;
      // Busy elements do not respond.
      if (!pressed || pressed.getAttribute('aria-disabled') === 'true') return;
      pressed.setAttribute('data-pressed', '');
      setTimeout(() => pressed.removeAttribute('data-pressed'), SHOWN_MS);
    };
    addEventListener('click', mark, { capture: true, passive: true });
    return () => removeEventListener('click', mark, { capture: true });
  }, []);
}
