import { useCallback } from 'react';
import { useAddressFilters } from './address-filters.ts';
import { afterPaint } from './after-paint.ts';

/**
 * A dialog whose open state is in the page's URL, so that it is open again after a reload and after the login that
 * follows a lost session. The press that opens or closes it is shown before the router changes the URL.
 * @param name of the query parameter
 */
export function useUrlDialog(name: string): [opened: boolean, actions: { open(): void; close(): void }] {
  const [parameters, change] = useAddressFilters<string>();
  const open = useCallback(() => void afterPaint(() => change({ [name]: '1' })), [name, change]);
  const close = useCallback(() => void afterPaint(() => change({ [name]: '' })), [name, change]);
  return [parameters.has(name), { open, close }];
}
