import type { ComponentProps } from 'react';
import { useLocation } from 'react-router';
import { Link } from '#client/ui/link.tsx';

/** What the history entry of a page that was opened from a list says of that: the query part of the list's URL. */
type Origin = { list: string };

/** A link from a list to one of its entries, whose page leads back to the list with the same filters (`useListPath`). */
export function LinkFromList(link: Omit<ComponentProps<typeof Link>, 'state'>) {
  const { search } = useLocation();
  return <Link {...link} state={{ list: search } satisfies Origin} />;
}

/** The URL of the list with the path `list`, with its filters if the page was opened from it. */
export function useListPath(list: string): string {
  const state: Partial<Origin> | null = useLocation().state;
  return `${list}${state?.list ?? ''}`;
}
