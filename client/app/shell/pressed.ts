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

const CONTROL = `${PRESSED}, input, textarea, select, label`;

/** What a click at `target` is meant for; a label's is its field. Null beside all of them, as on what a dialog covers. */
function controlAt(target: EventTarget | null): Element | null {
  const control = target instanceof Element ? target.closest(CONTROL) : null;
  return control instanceof HTMLLabelElement ? (control.control ?? control) : control;
}

/** How far apart two clicks of a double click may be, in px. On a touch screen, quick taps on neighbours count as one, too. */
const SAME_PLACE_PX = 8;

/**
 * Of a double click only the first counts where the second would press something else: what the first one has moved here or
 * uncovered, such as the button below an entry of a menu that has closed. Used by the application's frame.
 */
export function useOneOfDoubleClick(): void {
  useEffect(() => {
    let first: { control: Element | null; x: number; y: number } | null = null;
    const look = (event: MouseEvent) => {
      const { detail, target, clientX: x, clientY: y } = event;
      // The keyboard's clicks, and those of a label on its field, have no place.
      if (detail === 0) return;
      const control = controlAt(target);
      const isFurther = first !== null && detail > 1 && Math.hypot(x - first.x, y - first.y) <= SAME_PLACE_PX;
      if (!isFurther) first = { control, x, y };
      else if (control !== first?.control) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    };
    addEventListener('click', look, { capture: true });
    return () => removeEventListener('click', look, { capture: true });
  }, []);
}
