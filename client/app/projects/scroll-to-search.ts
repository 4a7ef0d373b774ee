import { type RefObject, useEffect } from 'react';
import { useNavigationType, useSearchParams } from 'react-router';

/** Longer than what stands above a list takes to load. */
const SETTLING_MS = 3000;
const USER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to a list that a link with a search in its address leads to, and keeps it in sight while what stands above it is
 * still loading, or until somebody does something themselves.
 */
export function useScrollToSearch(list: RefObject<HTMLElement | null>): void {
  const search = useSearchParams()[0].get('cerca') ?? '';
  const followedLink = useNavigationType() === 'PUSH';
  useEffect(() => {
    if (!search || !followedLink) return;
    const growth = new ResizeObserver(() => list.current?.scrollIntoView({ block: 'start' }));
    growth.observe(document.body);
    const stop = () => growth.disconnect();
    const timer = setTimeout(stop, SETTLING_MS);
    for (const name of USER_EVENTS) addEventListener(name, stop, { once: true, passive: true });
    return () => {
      stop();
      clearTimeout(timer);
      for (const name of USER_EVENTS) removeEventListener(name, stop);
    };
  }, [search, followedLink, list]);
}
