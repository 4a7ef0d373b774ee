import { startTransition, useEffect, useState } from 'react';

/**
 * Runs `work` once the frame that answers a press has been painted: what takes longer than a frame does not hold that up.
 * In a window that nobody sees nothing is painted: there it runs once somebody does.
 * @returns what forgets it, where it has not run yet
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

/** `initial`, then what `value` was before the last frame: for what takes longer to render than the press may wait. */
export function useAfterPaint(value: boolean, initial: boolean): boolean {
  const [painted, setPainted] = useState(initial);
  useEffect(() => {
    if (painted !== value) return afterPaint(() => startTransition(() => setPainted(value)));
  }, [painted, value]);
  return painted;
}
