import { createContext, use, useEffect, useRef } from 'react';
import { afterPaint } from '#client/lib/after-paint.ts';

type Back = () => void;

/** Registers what the back button does instead of leaving the page. Returns a function that unregisters it. */
export const WayBack = createContext<((back: Back) => () => void) | null>(null);

/**
 * While rendered, makes the browser's or phone's back button call `onBack` instead of leaving the page. Of several, the
 * last one counts. It takes effect, and ends, after the frame that responds to the press, because it renders the page's
 * routes again, but before what opens then has the focus.
 */
export function ClosedByBack({ onBack }: { onBack: Back }) {
  const add = use(WayBack);
  const latest = useRef(onBack);
  latest.current = onBack;
  useEffect(() => {
    let remove: (() => void) | undefined;
    const cancel = afterPaint(() => {
      remove = add?.(() => latest.current());
    });
    return () => {
      cancel();
      if (remove) afterPaint(remove);
    };
  }, [add]);
  return null;
}
