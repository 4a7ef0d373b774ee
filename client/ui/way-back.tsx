import { createContext, use, useEffect, useRef } from 'react';

type Back = () => void;

/** Registers what the back button does instead of leaving the page. Returns a function that unregisters it. */
export const WayBack = createContext<((back: Back) => () => void) | null>(null);

/**
 * While rendered, makes the browser's or phone's back button call `onBack` instead of leaving the page. Of several, the
 * last one counts.
 */
export function ClosedByBack({ onBack }: { onBack: Back }) {
  const add = use(WayBack);
  const latest = useRef(onBack);
  latest.current = onBack;
  useEffect(() => add?.(() => latest.current()), [add]);
  return null;
}
