import { useEffect } from 'react';
import { markPressed } from '#client/lib/mark-pressed.ts';

const PRESSED =
  'a, button, summary, [role="button"], [role="menuitem"], [role="option"], [role="tab"], [role="combobox"][aria-expanded="false"]';

/** Marks whatever is pressed. Used by the application's frame. */
export function usePressedMark(): void {
  useEffect(() => {
    const mark = ({ target }: MouseEvent) => {
      const pressed = target instanceof Element ? target.closest(PRESSED) : null;
      // Busy elements do not respond.
      if (!pressed || pressed.getAttribute('aria-disabled') === 'true') return;
      markPressed(pressed);
    };
    addEventListener('click', mark, { capture: true, passive: true });
    return () => removeEventListener('click', mark, { capture: true });
  }, []);
}
