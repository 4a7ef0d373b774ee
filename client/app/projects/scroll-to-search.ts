import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect } from 'react';
import { useNavigationType } from 'react-router';
import { useAddressFilters } from '#client/lib/address-filters.ts';

/** Longer than the content above a list takes to render once loaded. */
const SETTLING_MS = 3000;
const USER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls to the list when a link with a search in its URL was followed, and keeps it in view until the content above
 * has loaded or the user interacts.
 */
export function useScrollToSearch(list: RefObject<HTMLElement | null>): void {
  const search = useAddressFilters()[0].get('cerca') ?? '';
  const followedLink = useNavigationType() === 'PUSH';
  const queries = useQueryClient();
  useEffect(() => {
    if (!search || !followedLink) return;
    const growth = new ResizeObserver(() => list.current?.scrollIntoView({ block: 'start' }));
    growth.observe(document.body);
    const stop = () => {
      growth.disconnect();
      clearInterval(timer);
    };
    const timer = setInterval(() => queries.isFetching() === 0 && stop(), SETTLING_MS);
    for (const name of USER_EVENTS) addEventListener(name, stop, { once: true, passive: true });
    return () => {
      stop();
      for (const name of USER_EVENTS) removeEventListener(name, stop);
    };
  }, [search, followedLink, list, queries]);
}
