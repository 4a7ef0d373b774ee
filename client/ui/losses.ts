import { createContext, use, useCallback, useLayoutEffect, useState } from 'react';

/** What would be lost, as it is asked about. */
export type Loss = { title: string; words: string };

/** What asks before anything that is written in it is lost: a dialog, or the page where there is none. */
export type Keeper = {
  /** Takes note of what would be lost. @returns what forgets it */
  add: (loss: Loss) => () => void;
  /** Closes the dialog without asking; null where it is the page. */
  close: (() => void) | null;
};

/** The nearest of them. */
export const KeeperContext = createContext<Keeper | null>(null);

/** Has the dialog or page around it ask before it goes, as long as something would be lost with it. */
export function useLoss(loss: Loss | null): void {
  const add = use(KeeperContext)?.add;
  // With the letter, and not in a frame after it: the next press may be the way back.
  useLayoutEffect(() => (add && loss ? add(loss) : undefined), [add, loss]);
}

/** For what asks: the first of the losses it was told of, and what takes note of them. */
export function useLosses(): [loss: Loss | null, add: Keeper['add']] {
  const [entries, setEntries] = useState<readonly { loss: Loss }[]>([]);
  const add = useCallback((loss: Loss) => {
    const entry = { loss };
    setEntries((others) => [...others, entry]);
    return () => setEntries((others) => others.filter((other) => other !== entry));
  }, []);
  return [entries[0]?.loss ?? null, add];
}
