import { startTransition, useEffect, useState } from 'react';

/**
 * Runs `work` once the frame that answers a press has been painted, so that slow work does not delay that frame. A hidden window
 * paints nothing: there it runs once the window is shown.
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

/** `value` one frame late, and `initial` at first: for what takes longer to render than the answer to a press may. */
export function useAfterPaint(value: boolean, initial: boolean): boolean {
  const [painted, setPainted] = useState(initial);
  useEffect(() => {
    if (painted !== value) return afterPaint(() => startTransition(() => setPainted(value)));
  }, [painted, value]);
  return painted;
}
