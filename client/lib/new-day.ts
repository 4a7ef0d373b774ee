import { todayInRome } from '#contract/dates.ts';

/**
 * For `refetchOnWindowFocus` of data that depends on the date, such as what is overdue: refetches when the page becomes
 * visible on another day than it was read. Both days use the device's clock, so that a wrong clock does not refetch
 * every time.
 */
export function onNewDay({ state }: { state: { dataUpdatedAt: number } }): 'always' | false {
  const { dataUpdatedAt } = state;
  return dataUpdatedAt > 0 && todayInRome(new Date(dataUpdatedAt)) !== todayInRome() && 'always';
}
