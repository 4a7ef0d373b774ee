import { startTransition, useEffect, useState } from 'react';
import { useNavigationType } from 'react-router';
import { afterPaint, useAfterPaint } from '#client/lib/after-paint.ts';

/** Cards that fill the screen of a phone. */
export const CARDS_AT_ONCE = 4;

/**
 * Whether somebody comes back to a page, or loads it: all of it is rendered at once then, so that it is as long as when they
 * left it, and stands where it stood.
 */
function useReturned(): boolean {
  return useNavigationType() === 'POP';
}

/**
 * Whether to render what follows the first part of a page or section: a frame later, for `useReturned` at once.
 * @param atOnce for what must not wait
 */
export function useDeferredRender(atOnce = false): boolean {
  const returned = useReturned();
  return useAfterPaint(true, returned || atOnce);
}

/**
 * How many of `count` entries of a list, or parts of a page, to render: a screenful at once and as many more after each
 * frame, so that a press waits for a few of them at most; for `useReturned` all of them.
 * @param step how many a screen shows
 */
export function useIncrementalCount(count: number, step: number): number {
  const returned = useReturned();
  const [shown, setShown] = useState(returned ? count : step);
  useEffect(() => {
    if (shown < count) return afterPaint(() => startTransition(() => setShown(shown + step)));
  }, [shown, count, step]);
  return Math.min(shown, count);
}
