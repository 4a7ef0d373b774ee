import { useEffect, useRef } from 'react';

/** The focus is on what the next step of a dialog begins with: what was pressed has gone with the step before. */
export function useFocusOnStep<Element extends HTMLElement>() {
  const start = useRef<Element>(null);
  useEffect(() => start.current?.focus(), []);
  return start;
}
