import { type FocusEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

/**
 * Whether somebody points at an element or comes to something in it by key; Esc takes that back. For words shown only then.
 * @returns null instead of false until it happens for the first time; and what the element is given
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
    // Wherever the focus is: who points has it somewhere else.
    const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && setPointedAt(false);
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [pointedAt]);
  return {
    pointedAt,
    target,
    listeners: {
      // A finger does not point: it has pressed already.
      onPointerEnter: ({ pointerType }) => pointerType !== 'touch' && setPointedAt(true),
      onPointerLeave: hide,
      onFocus: (event) => event.target.matches(':focus-visible') && setPointedAt(true),
      onBlur: hide,
    },
  };
}
