import type { Page } from '@playwright/test';
import { type Press, slowDown, type Told, watchPresses } from './presses.ts';

/** The pages of a journey, on a processor so many times slower. */
export type SlowPages = {
  /** Watches the documents that `page` opens from now on. It is the slower one until another is brought to the front. */
  add(page: Page): Promise<void>;
  /** One entry for each press that took longer than a frame: the slowest of its events. */
  presses(): Press[];
  /** What was pressed at full speed, in a page that lay behind: those times mean nothing. */
  pressedBehind(): string[];
};

type SlowPage = { presses: Map<string, Press>; setFront(isFront: boolean): Promise<void> };

/**
 * Makes the processor slower for one page at a time. What slows a page keeps a processor busy also while the page rests:
 * beside two such pages nothing would be left for what draws them.
 */
export function openSlowPages(slowdown: number): SlowPages {
  const all: SlowPage[] = [];
  const behind = new Set<string>();

  return {
    async add(page) {
      const setSlowdown = await slowDown(page, 1);
      /** When it was in front, in milliseconds since 1970. */
      const turns: { from: number; to: number }[] = [];
      const noteWhere = ({ at, target }: Told) => {
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
