import { type FocusEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

/**
 * Whether an element is hovered, or something in it has keyboard focus; Esc resets it. For text that is only shown
 * then.
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
      onPointerEnter: ({ pointerType }) => pointerType !== 'touch' && setPointedAt(true),
      onPointerLeave: hide,
      onFocus: (event) => event.target.matches(':focus-visible') && setPointedAt(true),
      onBlur: hide,
    },
  };
}
