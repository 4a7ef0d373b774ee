import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useRef,
  useState,
} from 'react';

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
    onKeyDown: (event: KeyboardEvent) => void;
  };
} {
  const target = useRef<Target>(null);
  const [pointedAt, setPointedAt] = useState<boolean | null>(null);
  const hide = () => setPointedAt((now) => now && false);
  return {
    pointedAt,
    target,
    listeners: {
      // A finger does not point: it has pressed already.
      onPointerEnter: ({ pointerType }) => pointerType !== 'touch' && setPointedAt(true),
      onPointerLeave: hide,
      onFocus: (event) => event.target.matches(':focus-visible') && setPointedAt(true),
      onBlur: hide,
      onKeyDown: ({ key }) => key === 'Escape' && hide(),
    },
  };
}
