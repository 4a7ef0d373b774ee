import { useEffect, useRef } from 'react';

/** Focuses the start of a dialog's next step, because the pressed button disappeared with the previous one. */
export function useFocusOnStep<Element extends HTMLElement>() {
  const start = useRef<Element>(null);
  useEffect(() => start.current?.focus(), []);
  return start;
}
