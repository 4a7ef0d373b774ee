import { type ComponentProps, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { afterPaint } from '#client/lib/after-paint.ts';
import { Link } from '#client/ui/link.tsx';
import { isFocusLost, pageTitle } from '#client/ui/opener.ts';

/** What the history entry of a page that was opened from a list says of that: the query part of the list's URL. */
type Origin = { list: string };

/** The link last followed from a list, by the key of the list's history entry. */
const followed = new Map<string, string>();

/**
 * A link from a list to one of its entries, whose page leads back to the list with the same filters (`useListPath`). Going
 * back through the history gives it the focus again: the list is scrolled to it, and the keyboard goes on from there.
 */
export function LinkFromList(link: Omit<ComponentProps<typeof Link>, 'state' | 'ref' | 'onClick'>) {
  const { search, key } = useLocation();
  const element = useRef<HTMLAnchorElement>(null);
  // An entry has several links to its page.
  const name = `${link.to} ${link['aria-label'] ?? ''}`;
  const arrived = useRef(followed.get(key) === name);
  useEffect(() => {
    if (!arrived.current) return;
    // After the page's title has got the focus, which stays if it has moved on since.
    return afterPaint(() => {
      if (isFocusLost() || document.activeElement === pageTitle())
        element.current?.focus({ preventScroll: true });
    });
  }, []);
  return (
    <Link
      {...link}
      ref={element}
      state={{ list: search } satisfies Origin}
      onClick={() => followed.set(key, name)}
    />
  );
}

/** The URL of the list with the path `list`, with its filters if the page was opened from it. */
export function useListPath(list: string): string {
  const state: Partial<Origin> | null = useLocation().state;
  return `${list}${state?.list ?? ''}`;
}
