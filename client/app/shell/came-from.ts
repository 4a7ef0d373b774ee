import { useOutletContext } from 'react-router';

/** For a page of the application: the path of the page that was in sight before it; null when it was the first. */
export function useCameFrom(): string | null {
  return useOutletContext<string | null>();
}
