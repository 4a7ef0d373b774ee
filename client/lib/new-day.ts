import { todayInRome } from '#contract/dates.ts';

/**
 * For `refetchOnWindowFocus` of data that depends on today, such as what is overdue: read again when the page comes into sight
 * on another day than it was read. Both days are taken from the device's clock, so that a wrong clock does not read again each
 * time.
 */
export function onNewDay({ state }: { state: { dataUpdatedAt: number } }): 'always' | false {
  const { dataUpdatedAt } = state;
  return dataUpdatedAt > 0 && todayInRome(new Date(dataUpdatedAt)) !== todayInRome() && 'always';
}
