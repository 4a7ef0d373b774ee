import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Whether React runs the page: false in prerendered HTML and until it is hydrated. What only a script can do stays
 * disabled until then, so that no press is lost.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
