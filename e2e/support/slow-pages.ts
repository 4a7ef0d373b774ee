import type { Page } from '@playwright/test';
import { simulateHumanInput } from './human-input.ts';
import { type Press, type PressEvent, slowDown, watchPresses } from './presses.ts';

/** The pages of a journey, run on a slowed-down processor. */
export type SlowPages = {
  /** Watches documents that `page` opens from now on. It is the slow page until another is brought to the front. */
  add(page: Page): Promise<void>;
  /** One entry for each press that took longer than a frame: the slowest of its events. */
  presses(): Press[];
  /** Presses in a background page, which runs at full speed: their times mean nothing. */
  pressedBehind(): string[];
};

type SlowPage = { presses: Map<string, Press>; setFront(isFront: boolean): Promise<void> };

/**
 * Slows down one page at a time. A slowed page keeps a processor busy even while it is idle: two of them would leave nothing
 * for the process that draws them.
 */
export function openSlowPages(slowdown: number): SlowPages {
  const all: SlowPage[] = [];
  const behind = new Set<string>();

  return {
    async add(page) {
      simulateHumanInput(page);
      const setSlowdown = await slowDown(page, 1);
      /** When the page was in front, in milliseconds since 1970. */
      const turns: { from: number; to: number }[] = [];
      const noteWhere = ({ at, target }: PressEvent) => {
        if (!turns.some(({ from, to }) => from <= at && at <= to)) behind.add(target);
      };
      let inFront = false;
      const one: SlowPage = {
        presses: await watchPresses(page, noteWhere),
        async setFront(isFront) {
          if (isFront === inFront || page.isClosed()) return;
          inFront = isFront;
          const turn = turns.at(-1);
          if (!isFront && turn) turn.to = Date.now();
          await setSlowdown(isFront ? slowdown : 1);
          if (isFront) turns.push({ from: Date.now(), to: Number.POSITIVE_INFINITY });
        },
      };
      all.push(one);
      const turnTo = async () => {
        for (const other of all) if (other !== one) await other.setFront(false);
        await one.setFront(true);
      };
      const bringToFront = page.bringToFront.bind(page);
      page.bringToFront = async () => {
        await turnTo();
        await bringToFront();
      };
      await turnTo();
    },
    presses: () => all.flatMap(({ presses }) => [...presses.values()]),
    pressedBehind: () => [...behind],
  };
}
