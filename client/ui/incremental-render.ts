import { startTransition, useEffect, useState } from 'react';
import { useNavigationType } from 'react-router';
import { afterPaint, useAfterPaint } from '#client/lib/after-paint.ts';

/** How many cards fill the screen of a phone. */
export const CARDS_AT_ONCE = 4;

/**
 * Whether the page was reached by going back or by a reload. It is then rendered completely at once, so that it has its
 * former height and the scroll position can be restored.
 */
function useReturned(): boolean {
  return useNavigationType() === 'POP';
}

/**
 * Whether to render what follows the first part of a page or section: one frame later, or at once for `useReturned`.
 * @param atOnce for content that must not wait
 */
export function useDeferredRender(atOnce = false): boolean {
  const returned = useReturned();
  return useAfterPaint(true, returned || atOnce);
}

/**
 * How many of `count` list entries or page parts to render: a screenful at first and as many more after each frame, so
 * that input never waits for more than that; all of them for `useReturned`.
 * @param step how many fill a screen
 * @param awaited whether the content arrived after its page: then no scroll position can be restored either way, and
 *   also the first page of a visit is rendered in steps
 */
export function useIncrementalCount(count: number, step: number, awaited = false): number {
  const returned = useReturned();
  const [shown, setShown] = useState(returned && !awaited ? count : step);
  useEffect(() => {
    if (shown < count) return afterPaint(() => startTransition(() => setShown(shown + step)));
  }, [shown, count, step]);
  return Math.min(shown, count);
}

/**
 * How many entries of a fully loaded list to show, and the `pages` of `LoadMore` that show `step` more. The press is
 * shown before they are rendered.
 */
export function useShownSteps(step: number) {
  const [shown, setShown] = useState(step);
  const pages = {
    hasNextPage: true,
    isFetchingNextPage: false,
    fetchNextPage: () => afterPaint(() => startTransition(() => setShown((count) => count + step))),
  };
  return [shown, pages] as const;
}
