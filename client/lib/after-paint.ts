import { startTransition, useEffect, useState } from 'react';

/**
 * Runs `work` after the frame that responds to input has been painted, so that slow work does not delay it. A hidden
 * window does not paint; there it runs once the window is shown.
 * @returns a function that cancels `work` if it has not run yet
 */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
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
