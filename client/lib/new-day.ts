import { useEffect, useRef, useSyncExternalStore } from 'react';
import { type CalendarDate, todayInRome } from '#contract/dates.ts';

/** How often an open page checks the date. A timer for midnight would be late by as long as the computer slept. */
const CHECK_MS = 60_000;

function onClock(check: () => void): () => void {
  const timer = setInterval(check, CHECK_MS);
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
  };
}

/** Today in Europe/Rome; renders again after midnight. */
export function useToday(): CalendarDate {
  return useSyncExternalStore(onClock, () => todayInRome());
}

/** Calls `onChange` when a page that stays open reaches another day. */
export function useOnNewDay(onChange: () => unknown): void {
  const today = useToday();
  const last = useRef(today);
  useEffect(() => {
    if (last.current === today) return;
    last.current = today;
    onChange();
  });
}

/**
 * For `refetchOnWindowFocus` of data that depends on the date, such as what is overdue: refetches when the page becomes
 * visible on another day than it was read. Both days use the device's clock, so that a wrong clock does not refetch
 * every time.
 */
export function onNewDay({ state }: { state: { dataUpdatedAt: number } }): 'always' | false {
  const { dataUpdatedAt } = state;
  return dataUpdatedAt > 0 && todayInRome(new Date(dataUpdatedAt)) !== todayInRome() && 'always';
}

const FIVE_MINUTES = 5 * 60_000;

/** For `staleTime`: data is fresh for five minutes (spec §9), but not beyond the day on which it was read. */
export function freshToday(query: { state: { dataUpdatedAt: number } }): number {
  return onNewDay(query) ? 0 : FIVE_MINUTES;
}
