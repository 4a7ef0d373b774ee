import { startTransition, useEffect, useState } from 'react';

/** How long `afterPaint` waits for a frame, in ms: far longer than a frame takes on a slow device. */
const LONGEST_WAIT_MS = 1000;

/**
 * Runs `work` after the frame that responds to input has been painted, so that slow work does not delay it. Without a
 * frame, as in a hidden window or when the browser fails to draw one, it runs after a second.
 * @returns a function that cancels `work` if it has not run yet
 */
export function afterPaint(work: () => void): () => void {
  const withoutFrame = () => {
    cancelAnimationFrame(frame);
    work();
  };
  let timer = setTimeout(withoutFrame, LONGEST_WAIT_MS);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** `value` one frame late, and `initial` at first: for content that takes longer than a frame to render. */
export function useAfterPaint(value: boolean, initial: boolean): boolean {
  const [painted, setPainted] = useState(initial);
  useEffect(() => {
    if (painted !== value) return afterPaint(() => startTransition(() => setPainted(value)));
  }, [painted, value]);
  return painted;
}
