import { useOutletContext } from 'react-router';

/** The path of the page that was shown before the current page of the application; null if it was the first. */
export function useCameFrom(): string | null {
  return useOutletContext<string | null>();
}
