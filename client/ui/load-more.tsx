import { Button, Group, Text } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import { isOutdated } from '#client/lib/list-pages.ts';
import { figure } from '#contract/figures.ts';

/** Whether the focus is still on the button for more, which may have disappeared with the last page, or nowhere. */
const isFocusFree = (foot: HTMLElement) =>
  document.activeElement === document.body || foot.contains(document.activeElement);

/**
 * Moves the focus to the first new entry in the list that ends with `foot`, wherever it is rendered.
 * @param shown how many entries the list had; those of a long one are not all rendered, but have an index
 * @returns stops waiting for entries
 */
function focusFirstNew(foot: HTMLElement, shown: number): () => void {
  const list = foot.parentElement;
  if (!list) return () => {};
  const entries = () => list.querySelectorAll<HTMLElement>('[data-entry]');
  const before = entries().length;
  const observer = new MutationObserver(() => {
    const first = list.querySelector('[data-index]')
      ? list.querySelector<HTMLElement>(`[data-index="${shown}"]`)
      : entries()[before];
    if (!first) return;
    observer.disconnect();
    if (!isFocusFree(foot)) return;
    first.tabIndex = -1;
    // Visually hidden elements are not where the visible ones are, so do not scroll to them.
    first.focus({ preventScroll: first.closest('.visually-hidden') !== null });
  });
  observer.observe(list, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/**
 * The foot of a paginated list: how much of it is visible, and the next page or why it failed to load. If its pages turn
 * out to be from before and after a change of the list, it is read again, once. `exact` means that there are no more than
 * `total`.
 */
export function LoadMore({
  shown,
  total,
  exact = true,
  feminine = false,
  pages: { data, hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError, refetch, error },
}: {
  shown: number;
  total: number;
  exact?: boolean;
  /** Grammatical gender of the entries' noun. */
  feminine?: boolean;
  /** An infinite query of TanStack, or something with the same interface. */
  pages: {
    data?: { pages: Parameters<typeof isOutdated>[0] };
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => unknown;
    isFetchNextPageError?: boolean;
    refetch?: () => unknown;
    error?: Error | null;
  };
}) {
  const foot = useRef<HTMLDivElement>(null);
  const stopWaiting = useRef(() => {});
  const outdated = useMemo(() => isOutdated(data?.pages ?? []), [data]);
  useEffect(() => {
    if (outdated) refetch?.();
  }, [outdated, refetch]);
  const failed = isFetchNextPageError === true && !isFetchingNextPage;
  useEffect(() => {
    if (failed) stopWaiting.current();
  }, [failed]);
  return (
    <Group ref={foot} justify="space-between" mt="md" gap="sm">
      <Text c="dimmed" size="sm" role="status">
        {figure(shown)} di {exact ? figure(total) : `oltre ${figure(total)}`}
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
