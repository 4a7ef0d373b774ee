import { createContext, use, useEffect, useRef } from 'react';

/** What would be lost with a dialog that closes now, as it asks about it. */
export type Loss = { title: string; words: string };

/** What looks for it, each time that somebody wants to close the dialog. */
type Look = () => Loss | null;

/** The dialog around what may be lost. */
export const Losses = createContext<Set<Look> | null>(null);

/** Tells the dialog around it, where there is one, what would be lost: it asks before it closes. */
export function useLoss(look: Look): void {
  const losses = use(Losses);
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    if (!losses) return;
    const asked = () => latest.current();
    losses.add(asked);
    return () => void losses.delete(asked);
  }, [losses]);
}
