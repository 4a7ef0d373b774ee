import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { afterPaint } from './after-paint.ts';

describe('work after the next frame', () => {
  let frames: Map<number, () => void>;
  beforeEach(() => {
    vi.useFakeTimers();
    frames = new Map();
    vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.set(frames.size + 1, run).size);
    vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const draw = () => {
    for (const run of frames.values()) run();
    frames.clear();
  };

  test('runs once when the frame is drawn', () => {
    const work = vi.fn();
    afterPaint(work);
    vi.advanceTimersByTime(900);
    expect(work).not.toHaveBeenCalled();
    draw();
    vi.advanceTimersByTime(0);
    expect(work).toHaveBeenCalledOnce();
    vi.runAllTimers();
    expect(work).toHaveBeenCalledOnce();
  });

  test('runs once, after a second, when no frame is drawn until later', () => {
    const work = vi.fn();
    afterPaint(work);
    vi.advanceTimersByTime(1000);
    expect(work).toHaveBeenCalledOnce();
    draw();
    vi.runAllTimers();
    expect(work).toHaveBeenCalledOnce();
  });

  test('does not run when cancelled, before or after the frame', () => {
    const work = vi.fn();
    afterPaint(work)();
    draw();
    const cancel = afterPaint(work);
    draw();
    cancel();
    vi.runAllTimers();
    expect(work).not.toHaveBeenCalled();
  });
});
