import { useCallback, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { afterPaint } from './after-paint.ts';

/** Runs slow work after the frame that responds to a press; at most one piece of work is pending. */
export function usePostponed() {
  const waiting = useRef<{ work: () => void; forget: () => void } | null>(null);
  const settle = useCallback(() => {
    const { work, forget } = waiting.current ?? {};
    waiting.current = null;
    forget?.();
    // Rendered synchronously, so that the next key finds the page up to date.
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
    /** Runs `work` after that frame; pending work runs at once. */
    postpone,
    /** Runs pending work at once, for input that depends on it. */
    settle,
  };
}
