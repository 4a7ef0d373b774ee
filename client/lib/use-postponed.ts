import { useCallback, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { afterPaint } from './after-paint.ts';

/** What a press asks for and what would hold up the frame that answers it; at most one piece of work at a time. */
export function usePostponed() {
  const waiting = useRef<{ work: () => void; forget: () => void } | null>(null);
  const settle = useCallback(() => {
    const { work, forget } = waiting.current ?? {};
    waiting.current = null;
    forget?.();
    // Rendered as it is done: the next key would come to a page that does not know of it.
    if (work) flushSync(work);
  }, []);
  const postpone = useCallback(
    (work: () => void) => {
      settle();
      waiting.current = { work, forget: afterPaint(settle) };
    },
    [settle],
  );
  useEffect(() => () => waiting.current?.forget(), []);
  return {
    /** Runs `work` after that frame; what waited before runs at once. */
    postpone,
    /** Runs what waits at once: something is pressed that counts on it. */
    settle,
  };
}
