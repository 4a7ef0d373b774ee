import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { entriesIn } from './entries.ts';

/** How far beyond each edge of the window lines are rendered, so that scrolling does not show empty space. */
const BEYOND_PX = 600;

/** Height of a line before any was measured, in pixels. */
const USUAL_PX = 72;

/** The measured lines of lists that are no longer on the page, by their first row: going back restores the place in them. */
const left = new WeakMap<object, VirtualItem[]>();

/** A line to render, or the height in pixels of the lines before it that are not rendered. */
export type Part = { line: number } | { line: number; space: number };

/** Heights of the entries that are on the page now, for a list that renders all of them until it becomes too long. */
function renderedLines(
  around: HTMLElement | null,
  keyOf: (index: number) => string | number | undefined,
): VirtualItem[] {
  const entries = around ? entriesIn(around) : [];
  return entries.flatMap((entry, index) => {
    const key = keyOf(index);
    const size = entry.getBoundingClientRect().height;
    return key === undefined ? [] : [{ key, index, size, start: 0, end: size, lane: 0 }];
  });
}

const meanOf = (lines: readonly VirtualItem[]) =>
  lines.length === 0 ? USUAL_PX : lines.reduce((sum, { size }) => sum + size, 0) / lines.length;

/** The columns and the gap of a grid of cards, as laid out; one column without a gap while there is no grid. */
function useGrid() {
  const cards = useRef<HTMLUListElement>(null);
  const [grid, setGrid] = useState({ perLine: 1, gap: 0 });
  useLayoutEffect(() => {
    const element = cards.current;
    if (!element) return;
    const measure = () => {
      const { gridTemplateColumns, rowGap } = getComputedStyle(element);
      const perLine = gridTemplateColumns.split(' ').length;
      const gap = Number.parseFloat(rowGap);
      setGrid((known) => (known.perLine === perLine && known.gap === gap ? known : { perLine, gap }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { cards, ...grid };
}

/**
 * Which lines of a long list to render: those near the visible part of the page, and the one that last had the focus, so
 * that scrolling does not lose it. A line is a row of a table or of a grid of cards.
 * @param around the element around the list, and around the one that it replaces
 * @returns `cards` for the grid, if it is one; how many rows are on each line; the `parts` of the list in order;
 *   `measure` for one element of each line, which tells its line by `data-line`
 */
export function useVirtualLines<Row extends object>({
  around,
  rows,
  rowKey,
}: {
  around: RefObject<HTMLElement | null>;
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
}) {
  const { cards, perLine, gap } = useGrid();
  const keyOf = useCallback(
    (line: number) => {
      const row = rows[line * perLine];
      return row && rowKey(row);
    },
    [rows, rowKey, perLine],
  );
  // Another function would make the virtualizer compute the places of all lines again, at each step of scrolling.
  const getItemKey = useCallback((line: number) => keyOf(line) ?? line, [keyOf]);
  const [first] = rows;
  const [known] = useState(() => (first && left.get(first)) ?? renderedLines(around.current, keyOf));
  const [usual] = useState(() => meanOf(known));
  const [top, setTop] = useState(0);
  const focused = useRef<number | null>(null);

  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: Math.ceil(rows.length / perLine),
    getItemKey,
    estimateSize: () => usual,
    initialMeasurementsCache: known,
    overscan: Math.ceil(BEYOND_PX / usual),
    gap,
    scrollMargin: top,
    indexAttribute: 'data-line',
    rangeExtractor: (range) => {
      const lines = defaultRangeExtractor(range);
      const kept = focused.current;
      if (kept === null || kept >= range.count || lines.includes(kept)) return lines;
      return [...lines, kept].sort((one, other) => one - other);
    },
  });

  useEffect(() => {
    const element = around.current;
    const remember = ({ target }: FocusEvent) => {
      const line = target instanceof Element && target.closest<HTMLElement>('[data-line]')?.dataset.line;
      if (line) focused.current = Number(line);
    };
    element?.addEventListener('focusin', remember);
    return () => element?.removeEventListener('focusin', remember);
  }, [around]);

  useLayoutEffect(() => {
    const element = around.current;
    if (!element || virtualizer.isScrolling) return;
    const edge = element.querySelector('thead')?.getBoundingClientRect().bottom;
    setTop(Math.round((edge ?? element.getBoundingClientRect().top) + scrollY));
  });

  useEffect(() => () => void (first && left.set(first, virtualizer.takeSnapshot())), [first, virtualizer]);

  const parts: Part[] = [];
  let end = top;
  for (const { index, start, end: below } of virtualizer.getVirtualItems()) {
    if (start > end) parts.push({ line: index, space: start - gap - end });
    parts.push({ line: index });
    end = below + gap;
  }
  const rest = top + virtualizer.getTotalSize() - end;
  if (rest > 0) parts.push({ line: virtualizer.options.count, space: rest });
  return { cards, perLine, parts, measure: virtualizer.measureElement };
}

function widthsIn(around: HTMLElement | null): number[] {
  const widths = [...(around?.querySelectorAll('thead th') ?? [])].map(
    (header) => header.getBoundingClientRect().width,
  );
  const all = widths.reduce((sum, width) => sum + width, 0);
  return widths.map((width) => (width / all) * 100);
}

/**
 * The widths of a table's columns in percent, as they are when it becomes too long to render all of its rows: they would
 * change with the rows that are scrolled into view.
 * @param around the element around the table
 * @param wide whether it is a table now; cards have no columns
 */
export function useKeptWidths(around: RefObject<HTMLElement | null>, wide: boolean): readonly number[] {
  const [widths, setWidths] = useState(() => widthsIn(around.current));
  useLayoutEffect(() => {
    if (wide && widths.length === 0) setWidths(widthsIn(around.current));
  }, [around, wide, widths]);
  return widths;
}
