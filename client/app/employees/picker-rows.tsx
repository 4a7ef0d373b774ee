import { Button, Checkbox, Group, Text } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { usePromptTick } from '#client/lib/use-prompt-tick.ts';
import { Waiting } from '#client/ui/list-skeletons.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';
import type { Employee } from '#contract/employees.ts';
import styles from './employee-picker.module.css';

/** Estimated height of a row before it is measured. */
const ROW_PX = 41;
/** How many rows before the end the next page is fetched. */
const ROWS_AHEAD = 20;

/**
 * Renders only the visible rows: thousands of checkboxes at once would block the browser. One of them is a Tab stop, and
 * the arrow keys move between them, so that Tab leads past the list.
 */
export function PickerRows({
  employees,
  onNearEnd,
  children,
  renderRow,
}: {
  employees: readonly Employee[];
  /** Called when the last rows become visible, if there may be more. */
  onNearEnd?: () => void;
  /** Shown below the rows. */
  children: ReactNode;
  /** @param tabIndex of the row's checkbox */
  renderRow: (employee: Employee, tabIndex: 0 | -1) => ReactNode;
}) {
  const list = useRef<HTMLFieldSetElement>(null);
  const hint = useId();
  const rows = useVirtualizer({
    count: employees.length,
    getScrollElement: () => list.current,
    getItemKey: (index) => employees[index]?.id ?? index,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  const visible = rows.getVirtualItems();
  const [current, setCurrent] = useState(0);
  // The current row may have been scrolled away.
  const stop = visible.some(({ index }) => index === current) ? current : visible[0]?.index;
  const last = visible.at(-1)?.index ?? 0;
  const nearEnd = last >= employees.length - ROWS_AHEAD;
  useEffect(() => {
    if (nearEnd) onNearEnd?.();
  }, [nearEnd, onNearEnd]);
  return (
    <fieldset
      ref={list}
      className={styles.list}
      tabIndex={-1}
      aria-label="Dipendenti"
      // Checkboxes are expected to be reached with Tab, which leads past all but one.
      aria-describedby={hint}
      onFocus={({ target }) => {
        const row = target.closest<HTMLElement>('[data-index]');
        if (row) setCurrent(Number(row.dataset.index));
      }}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        const row = event.target.closest<HTMLElement>('[data-index]');
        const next = Number(row?.dataset.index) + step;
        event.currentTarget.querySelector<HTMLElement>(`[data-index="${next}"] input`)?.focus();
      }}
    >
      <div className={styles.rows} style={{ height: rows.getTotalSize() }}>
        {visible.map(({ key, index, start }) => {
          const employee = employees[index];
          return (
            employee && (
              <div
                key={key}
                ref={rows.measureElement}
                data-index={index}
                className={styles.option}
                style={{ transform: `translateY(${start}px)` }}
              >
                {renderRow(employee, index === stop ? 0 : -1)}
              </div>
            )
          );
        })}
      </div>
      {children}
      <span id={hint} hidden>
        Freccia su e freccia giù scorrono l’elenco.
      </span>
    </fieldset>
  );
}

/**
 * A row, rendered again only when it changes, so that a press on one does not render the others. It is ticked before the form
 * around it learns of it.
 */
export const PickerRow = memoWithStableHandlers(function PickerRow({
  label,
  clash,
  checked,
  tabIndex,
  onToggle,
}: {
  label: string;
  /** The other project on the same days. */
  clash: string | undefined;
  checked: boolean;
  tabIndex: 0 | -1;
  onToggle: (checkbox: HTMLInputElement) => void;
}) {
  const checkbox = useRef<HTMLInputElement>(null);
  const tick = usePromptTick(checked, () => checkbox.current && onToggle(checkbox.current));
  return <Checkbox ref={checkbox} label={label} description={clash} tabIndex={tabIndex} {...tick} />;
});

/** Fetches again the part of a list that failed: its next page, or all of it. */
function readAgain(list: Pick<UseInfiniteQueryResult, 'isFetchNextPageError' | 'fetchNextPage' | 'refetch'>) {
  void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch());
}

/** Stands for rows that are still to come. */
export function RowsToCome() {
  return (
    <Waiting label="Caricamento dei dipendenti…">
      {[58, 44, 52].map((width) => (
        <Skeleton key={width} height={16} width={`${width}%`} margin="var(--space-4) var(--space-3)" />
      ))}
    </Waiting>
  );
}

/** Why a part of the list is missing, with a button to read it again. */
export function ReadFailure({ lists }: { lists: readonly UseInfiniteQueryResult[] }) {
  const failed = lists.filter(({ isError }) => isError);
  if (failed.length === 0) return null;
  return (
    <Group p="xs" gap="xs" justify="space-between">
      <Text c="red" size="sm" role="alert">
        {failed[0]?.error?.message}
      </Text>
      <Button
        size="xs"
        variant="default"
        loading={failed.some(({ isFetching }) => isFetching)}
        onClick={(event) => {
          // The button disappears once the list is loaded: move the focus, so that it is not lost.
          event.currentTarget.closest('fieldset')?.focus({ preventScroll: true });
          failed.forEach(readAgain);
        }}
      >
        Riprova
      </Button>
    </Group>
  );
}
