import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is narrower than the product's mobile breakpoint of 768 px (spec §9). */
export function usePhone(): boolean {
  return useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
}
