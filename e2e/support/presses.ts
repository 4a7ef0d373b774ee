/// <reference lib="dom" />
import type { Page } from '@playwright/test';

/** A press or a keystroke, as Event Timing reports it. Times in milliseconds. */
export type Press = {
  /** The text of what was pressed, or the label of the field that was typed in. */
  target: string;
  /** From the press to the next frame, in steps of 8. */
  ms: number;
  /** The part of it before the page's code could run, for what else the page was doing. */
  waited: number;
  /** The part of it that the page's own code ran. */
  worked: number;
};

/** One of the several events of a press, as a page reports it. `at` is its start, in milliseconds since 1970. */
export type PressEvent = Press & { press: string; at: number };

/**
 * Notes every press on the documents that `page` opens from now on, and tells `onPress` of each of its events.
 * @returns what has been noted by now, one entry for each press that took longer than a frame: the slowest of its events
 */
export async function watchPresses(
  page: Page,
  onPress: (told: PressEvent) => void = () => undefined,
): Promise<Map<string, Press>> {
  const presses = new Map<string, Press>();
  await page.exposeFunction('notePress', (told: PressEvent) => {
    onPress(told);
    const { press, at: _, ...event } = told;
    const before = presses.get(press);
    if (!before) presses.set(press, event);
    else if (before.ms < event.ms || before.worked < event.worked) {
      presses.set(press, {
        ...event,
        ms: Math.max(before.ms, event.ms),
        waited: Math.max(before.waited, event.waited),
        worked: Math.max(before.worked, event.worked),
      });
    }
  });
  await page.addInitScript(() => {
    const { notePress } = globalThis as unknown as { notePress: (told: PressEvent) => void };
    /** Labels of what was pressed, by the time of the event: by the next frame it may have been removed. */
    const labels = new Map<number, string>();
    const labelOf = (pressed: Element) => {
      const element = pressed.closest('[aria-label], button, a, input') ?? pressed;
      const field = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
      return (element.getAttribute('aria-label') ?? field ?? element.textContent ?? '').slice(0, 60);
    };
    for (const type of ['pointerdown', 'pointerup', 'click', 'keydown', 'keyup']) {
      addEventListener(
        type,
        ({ target, timeStamp }) => target instanceof Element && labels.set(timeStamp, labelOf(target)),
        { capture: true, passive: true },
      );
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[]) {
        if (!entry.interactionId) continue;
        notePress({
          press: `${performance.timeOrigin} ${entry.interactionId}`,
          at: performance.timeOrigin + entry.startTime,
          target: labels.get(entry.startTime) ?? '',
          ms: entry.duration,
          waited: Math.round(entry.processingStart - entry.startTime),
          worked: Math.round(entry.processingEnd - entry.processingStart),
        });
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as object);
  });
  return presses;
}

/**
 * Slows down the processor of a page, and keeps its window as high as any screen emulated in it: what lies below the window's
 * edge is not drawn, so a press there would be measured until something above changes.
 * @returns a function that changes the slowdown
 */
export async function slowDown(page: Page, slowdown: number): Promise<(slowdown: number) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const { windowId } = await session.send('Browser.getWindowForTarget');
  const enlargeWindow = () =>
    session.send('Browser.setWindowBounds', { windowId, bounds: { width: 1600, height: 1200 } });
  await enlargeWindow();
  const setViewportSize = page.setViewportSize.bind(page);
  page.setViewportSize = async (size) => {
    await setViewportSize(size);
    // Playwright makes the window as high as the screen, without room for its toolbars.
    await enlargeWindow();
  };
  const setSlowdown = async (rate: number) => {
    await session.send('Emulation.setCPUThrottlingRate', { rate });
  };
  await setSlowdown(slowdown);
  return setSlowdown;
}
