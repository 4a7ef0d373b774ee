import { Button, Group, Text } from '@mantine/core';
import { use, useEffect, useMemo, useRef, useState } from 'react';
import { isOutdated } from '#client/lib/list-pages.ts';
import { counted } from '#client/lib/words.ts';
import { figure } from '#contract/figures.ts';
import { entriesIn } from './entries.ts';
import { announce, LiveRegion } from './list-states.tsx';
import { nameIn } from './opener.ts';

/** Whether the focus is still on the button for more, which may have disappeared with the last page, or nowhere. */
const isFocusFree = (foot: HTMLElement) =>
  document.activeElement === document.body || foot.contains(document.activeElement);

/**
 * Moves the focus to the first new entry in the list that ends with `foot`, wherever it is rendered.
 * @param shown how many entries the list had, rendered or not: those of a long one have an index
 * @returns stops waiting for entries
 */
function focusFirstNew(foot: HTMLElement, shown: number): () => void {
  const list = foot.parentElement;
  if (!list) return () => {};
  const observer = new MutationObserver(() => {
    const first = list.querySelector('[data-index]')
      ? list.querySelector<HTMLElement>(`[data-index="${shown}"]`)
      : entriesIn(list)[shown];
    if (!first) return;
    observer.disconnect();
    if (!isFocusFree(foot)) return;
    const name = nameIn(first);
    name.tabIndex = -1;
    // Visually hidden elements are not where the visible ones are, so do not scroll to them.
    name.focus({ preventScroll: first.closest('.visually-hidden') !== null });
  });
  observer.observe(list, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Live regions of lists that have shown entries before. */
const filled = new WeakSet<HTMLElement>();

/**
 * Announces `found` once the list has entries again after a search, a filter or another order: the foot with its figures
 * then appears together with its text, which is often not announced. The list that a page opens with is silent, and so
 * are figures that are not `current`: the foot will be there to announce those that follow.
 * @returns whether the page opened with this list
 */
function useAnnouncedResults(found: string, current: boolean): boolean {
  const liveRegion = use(LiveRegion);
  const [first] = useState(() => !liveRegion?.current || !filled.has(liveRegion.current));
  const words = useRef(first || !current ? null : found);
  useEffect(() => {
    const status = liveRegion?.current;
    if (!status) return;
    filled.add(status);
    return words.current === null ? undefined : announce(status, words.current);
  }, [liveRegion]);
  return first;
}

/**
 * For a live region with `words` that may at first be those of a former visit: only the ones that are current are
 * announced.
 * @param current whether nothing newer has been asked for
 * @param known the words that need not be announced
 * @returns what the region needs, and the key of its content: a new element is read whole, of a changed one only what
 *   changed
 */
export function useCurrentWords(words: string, current: boolean, known = words) {
  const { current: now } = useRef({ shown: known, announced: known, key: 0 });
  if (current && (words !== now.shown || words !== now.announced)) {
    now.announced = words;
    now.key += 1;
  }
  now.shown = words;
  return { region: { role: 'status', 'aria-live': current ? undefined : 'off' }, key: now.key } as const;
}

/**
 * The foot of a paginated list: how much of it is visible, and the next page or why it failed to load. If its pages turn
 * out to be from before and after a change of the list, it is read again, once. `exact` means that there are no more than
 * `total`. `quiet` announces the figures only of the next page, for a list that changes together with another one of the
 * page, which announces the same.
 */
export function LoadMore({
  shown,
  total,
  exact = true,
  feminine = false,
  quiet = false,
  pages: {
    data,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
    isFetchNextPageError,
    isRefetching = false,
    refetch,
    error,
  },
}: {
  shown: number;
  total: number;
  exact?: boolean;
  /** Grammatical gender of the entries' noun. */
  feminine?: boolean;
  quiet?: boolean;
  /** An infinite query of TanStack, or something with the same interface. */
  pages: {
    data?: { pages: Parameters<typeof isOutdated>[0] };
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
    isFetchNextPageError?: boolean;
    isRefetching?: boolean;
    refetch?: () => unknown;
    error?: Error | null;
  };
}) {
  const foot = useRef<HTMLDivElement>(null);
  const stopWaiting = useRef(() => {});
  /** The total when the next page was asked for: once it is another one, the list has changed. */
  const [askedOf, setAskedOf] = useState<number | null>(null);
  const outdated = useMemo(() => isOutdated(data?.pages ?? []), [data]);
  useEffect(() => {
    if (outdated) refetch?.();
  }, [outdated, refetch]);
  const found = `${exact ? '' : 'oltre '}${counted(total, 'risultato', 'risultati')}`;
  const first = useAnnouncedResults(found, !isRefetching);
  const failed = isFetchNextPageError === true && !isFetchingNextPage;
  useEffect(() => {
    if (failed) stopWaiting.current();
  }, [failed]);
  const figures = `${figure(shown)} di ${exact ? '' : 'oltre '}${figure(total)}`;
  const { region, key } = useCurrentWords(figures, !isRefetching, first ? figures : '');
  return (
    <Group ref={foot} justify="space-between" mt="md" gap="sm">
      <Text c="dimmed" size="sm" {...region} {...(quiet && askedOf !== total && { 'aria-live': 'off' })}>
        <span key={key}>{figures}</span>
      </Text>
      {failed && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {error?.message}
        </Text>
      )}
      {hasNextPage && (
        <Button
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => {
            setAskedOf(total);
            if (foot.current) stopWaiting.current = focusFirstNew(foot.current, shown);
            fetchNextPage();
          }}
        >
          {failed ? 'Riprova' : feminine ? 'Mostra altre' : 'Mostra altri'}
        </Button>
      )}
    </Group>
  );
}
