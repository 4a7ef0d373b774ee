import { type FocusEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

/** How long the pointer may take from an element to the text beside it: whoever magnifies the page reads it there. */
export const CROSSING_MS = 150;

/**
 * Whether an element is hovered, or something in it has keyboard focus; Esc resets it. For text that is only shown
 * then. Text that is rendered in the element counts as part of it, also in a portal.
 * @returns `pointedAt`, null instead of false until the first time; and the ref and listeners for the element
 */
export function usePointedAt<Target extends HTMLElement>(): {
  pointedAt: boolean | null;
  target: RefObject<Target | null>;
  listeners: {
    onPointerEnter: (event: PointerEvent) => void;
    onPointerLeave: () => void;
    onFocus: (event: FocusEvent) => void;
    onBlur: () => void;
  };
} {
  const target = useRef<Target>(null);
  const [pointedAt, setPointedAt] = useState<boolean | null>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hide = () => setPointedAt((now) => now && false);
  useEffect(() => {
    if (!pointedAt) return;
    // Listens on the window, because a hovering user has the focus elsewhere.
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && setPointedAt(false);
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [pointedAt]);
  return {
    pointedAt,
    target,
    listeners: {
      // Touch does not hover: it is a press already.
      onPointerEnter: ({ pointerType }) => {
        clearTimeout(leaving.current);
        if (pointerType !== 'touch') setPointedAt(true);
      },
      onPointerLeave: () => {
        leaving.current = setTimeout(hide, CROSSING_MS);
      },
      onFocus: (event) => event.target.matches(':focus-visible') && setPointedAt(true),
      onBlur: hide,
    },
  };
}
