import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect } from 'react';
import { useNavigationType } from 'react-router';
import { useAddressFilters } from './address-filters.ts';

/** The page has settled after this many checks in a row at which nothing was loading and nothing had grown. */
const SETTLED_CHECKS = 6;
const CHECK_MS = 1000;
const USER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** The parameters of a link that leads to some records of a list. */
const NARROWING = ['cerca', 'stato', 'progetto'] as const;

/**
 * Scrolls to the list when a link with a search or filter in its URL was followed, and keeps it in view until the content
 * above has loaded or the user interacts.
 */
export function useScrollToSearch(list: RefObject<HTMLElement | null>): void {
  const [parameters] = useAddressFilters();
  const asked = NARROWING.map((name) => parameters.get(name))
    .filter(Boolean)
    .join(' ');
  const followedLink = useNavigationType() === 'PUSH';
  const queries = useQueryClient();
  useEffect(() => {
    if (!asked || !followedLink) return;
    let settled = 0;
    const growth = new ResizeObserver(() => {
      settled = 0;
      list.current?.scrollIntoView({ block: 'start' });
    });
    growth.observe(document.body);
    const stop = () => {
      growth.disconnect();
      clearInterval(timer);
    };
    // What has just been loaded is not rendered yet, so one check without loading proves nothing.
    const timer = setInterval(() => {
      settled = queries.isFetching() === 0 ? settled + 1 : 0;
      if (settled === SETTLED_CHECKS) stop();
    }, CHECK_MS);
    for (const name of USER_EVENTS) addEventListener(name, stop, { once: true, passive: true });
    return () => {
      stop();
      for (const name of USER_EVENTS) removeEventListener(name, stop);
    };
  }, [asked, followedLink, list, queries]);
}
