import { useEffect, useLayoutEffect, useState } from 'react';

let covers = 0;
const waiting = new Set<() => void>();

function note(change: 1 | -1): void {
  covers += change;
  document.documentElement.toggleAttribute('data-covered', covers > 0);
  if (covers > 0) return;
  const tasks = [...waiting];
  waiting.clear();
  for (const task of tasks) task();
}

/**
 * While a dialog covers the page the document says so, and its style sheet keeps what is under it from scrolling. A selector
 * that asks for an open dialog (`:has`) would look through the page again after each of its changes.
 */
export function useCover(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    note(1);
    return () => note(-1);
  }, [opened]);
}

/**
 * Whether the screen matches a media query; while a dialog covers the page, whether it did when that was opened. For what
 * takes another form with the width of the screen, its entries rendered anew: a dialog that belongs to one of them would be
 * gone, with what was typed into it, when a tablet is turned.
 */
export function useUncoveredMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const follow = () => setMatches(media.matches);
    const change = () => void (covers > 0 ? waiting.add(follow) : follow());
    change();
    media.addEventListener('change', change);
    return () => {
      media.removeEventListener('change', change);
      waiting.delete(follow);
    };
  }, [query]);
  return matches;
}
