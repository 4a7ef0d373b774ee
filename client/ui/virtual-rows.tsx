import type { ReactElement, ReactNode, RefObject } from 'react';
import styles from './data-table.module.css';
import type { RowPlace } from './data-table-row.tsx';
import { useKeptWidths, useVirtualLines } from './virtual-lines.ts';

/** Renders a row; `place` where not all rows are rendered. */
export type RenderRow<Row> = (row: Row, place?: RowPlace) => ReactElement;

/** Renders the list around its entries: bodies of a table, or cards; `virtual` where not all rows are rendered. */
export type RenderList = (
  entries: ReactNode,
  virtual?: {
    /** Widths of the table's columns in percent. */
    widths: readonly number[];
    /** For the grid of cards. */
    cards: RefObject<HTMLUListElement | null>;
  },
) => ReactNode;

/** A long list, of which it renders the rows near the visible part of the page, and empty space for the others. */
export function VirtualRows<Row extends object>({
  around,
  wide,
  rows,
  rowKey,
  renderRow,
  renderList,
}: {
  /** The element around the list, and around the one that it replaces. */
  around: RefObject<HTMLElement | null>;
  /** Whether it is a table, not cards. */
  wide: boolean;
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  renderRow: RenderRow<Row>;
  renderList: RenderList;
}) {
  const { cards, perLine, parts, measure } = useVirtualLines({ around, rows, rowKey });
  const widths = useKeptWidths(around, wide);
  const Space = wide ? TableSpace : CardSpace;
  // Flat: keys in an array of its own would be those of its place, which changes as the list is scrolled.
  const entries = parts.flatMap((part) => {
    if ('space' in part) return [<Space key={`space ${part.line}`} height={part.space} />];
    const first = part.line * perLine;
    return rows.slice(first, first + perLine).map((row, column) =>
      renderRow(row, {
        index: first + column,
        count: rows.length,
        line: part.line,
        measure: column === 0 ? measure : undefined,
      }),
    );
  });
  return renderList(entries, { widths, cards });
}

function TableSpace({ height }: { height: number }) {
  return (
    <tbody aria-hidden="true">
      <tr className={styles.space} style={{ height }} />
    </tbody>
  );
}

function CardSpace({ height }: { height: number }) {
  return <li aria-hidden="true" className={styles.space} style={{ height }} />;
}
