import { useEffect } from 'react';

const PRESSED =
  'a, button, summary, [role="button"], [role="menuitem"], [role="option"], [role="tab"], [role="combobox"][aria-expanded="false"]';

/** Long enough to be seen. A tap is over before the browser's own sign of it is. */
const SHOWN_MS = 150;

/**
 * Marks what was pressed with `data-pressed` for a moment (touch.css): the very next frame shows that a press was heard,
 * whatever it leads to and however long that takes. For the frame.
 */
export function usePressedMark(): void {
  useEffect(() => {
    const mark = ({ target }: MouseEvent) => {
      const pressed = target instanceof Element ? target.closest(PRESSED) : null;
      // What is busy does not hear it.
      if (!pressed || pressed.getAttribute('aria-disabled') === 'true') return;
      pressed.setAttribute('data-pressed', '');
      setTimeout(() => pressed.removeAttribute('data-pressed'), SHOWN_MS);
    };
    addEventListener('click', mark, { capture: true, passive: true });
    return () => removeEventListener('click', mark, { capture: true });
  }, []);
}
