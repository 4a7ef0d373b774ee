import { createContext, use, useEffect, useRef } from 'react';
import { afterPaint } from '#client/lib/after-paint.ts';

/** What the back button does instead of leaving the page; null once it does nothing, until it is unregistered. */
export type Back = { current: (() => void) | null };

/** Registers what the back button does instead of leaving the page. Returns a function that unregisters it. */
export const WayBack = createContext<((back: Back) => () => void) | null>(null);

/**
 * While rendered, makes the browser's or phone's back button call `onBack` instead of leaving the page. Of several, the
 * last one counts. It takes effect, and is unregistered, after the frame that responds to the press, because it renders the
 * page's routes again, but before what opens then has the focus.
 */
export function ClosedByBack({ onBack }: { onBack: () => void }) {
  const add = use(WayBack);
  const latest = useRef(onBack);
  latest.current = onBack;
  useEffect(() => {
    let remove: (() => void) | undefined;
    const back: Back = { current: () => latest.current() };
    const cancel = afterPaint(() => {
      remove = add?.(back);
    });
    return () => {
      cancel();
      // What is closed must not swallow a press in that frame.
      back.current = null;
      if (remove) afterPaint(remove);
    };
  }, [add]);
  return null;
}
