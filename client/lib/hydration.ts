import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Whether React has hydrated the page: false in prerendered HTML. Controls that need scripts stay disabled until then,
 * so that no press is lost.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
