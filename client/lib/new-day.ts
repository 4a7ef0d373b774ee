import { todayInRome } from '#contract/dates.ts';

/**
 * For `refetchOnWindowFocus` of what says today, or what is late by now: read again when the page comes into sight on another
 * day than it was read. Both days are those of the device: by a clock that is wrong nothing would ever be of today.
 */
export function onNewDay({ state }: { state: { dataUpdatedAt: number } }): 'always' | false {
  const { dataUpdatedAt } = state;
  return dataUpdatedAt > 0 && todayInRome(new Date(dataUpdatedAt)) !== todayInRome() && 'always';
}
