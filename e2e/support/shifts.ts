import type { Page } from '@playwright/test';
import { drawn } from './frames.ts';

/** Counts layout shifts in the documents that `page` opens from now on. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.shifts = { sum: 0, far: [] };
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) {
        shifts.sum += value;
        for (const { node, previousRect: before, currentRect: after } of sources) {
          const [x, y] = [after.x - before.x, after.y - before.y].map(Math.round);
          if (Math.hypot(x, y) >= 8) shifts.far.push(x + ' ' + y + ' ' + node?.textContent.slice(0, 60));
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  `);
}

/** The sum of the layout shifts so far, the next two frames included. */
export async function shiftOf(page: Page): Promise<number> {
  await drawn(page);
  return page.evaluate<number>('shifts.sum');
}

/** What has moved by 8 px or more so far, the next two frames included: how far, and the words that it begins with. */
export async function movedFar(page: Page): Promise<string[]> {
  await drawn(page);
  return page.evaluate<string[]>('shifts.far');
}
