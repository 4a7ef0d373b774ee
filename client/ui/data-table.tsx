import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import {
  type ReactNode,
  type RefObject,
  startTransition,
  use,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { loadInBackground } from '#client/lib/background-code.ts';
import { useContainerMinWidth } from './container-min-width.ts';
import styles from './data-table.module.css';
import {
  CardRow,
  InTable,
  inTable,
  MemoEntry,
  type RowContent,
  type Selection,
  TableRow,
} from './data-table-row.tsx';
import { CARDS_AT_ONCE, useIncrementalCount } from './incremental-render.ts';
import { announce, LiveRegion } from './list-states.tsx';
import { RowCheckbox } from './row-checkbox.tsx';
import table from './table.module.css';
import { TableCaption } from './table-caption.tsx';
import { usePrinting } from './use-printing.ts';
import type { RenderList, RenderRow, VirtualRows } from './virtual-rows.tsx';

/** How the rows are sorted. Cards have no headers, so the page offers the same choice above them. */
export type Sort = { key: string; direction: 'asc' | 'desc'; onSort: (key: string) => void };

/** Minimum width in rem for a table with a few short columns. */
const TABLE_FROM = 46;

/** Rows of a list that are all rendered, so that the browser finds and screen readers list them; more would scroll slowly. */
const ALL_RENDERED = 100;

/** Rows of a table that fill a screen. */
const ROWS_AT_ONCE = 12;

/**
 * A row is only rendered again when one of these props changes. Pass stable functions (defined outside the component,
 * or with `useCallback`), so that a long list is not rendered for every letter typed above it.
 */
type Props<Row> = RowContent<Row> & {
  /** What the table contains, for screen readers. */
  caption: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  sort?: Sort;
  selection?: Selection;
  /** Minimum width in rem for the table; below it, rows are shown as cards. */
  tableFrom?: number;
};

function SortableHeader({ name, column, sort }: { name: string; column: string; sort: Sort }) {
  const active = sort.key === column;
  const ActiveIcon = sort.direction === 'asc' ? IconArrowUp : IconArrowDown;
  const IconOf = active ? ActiveIcon : IconArrowsSort;
  return (
    <UnstyledButton className={styles.sort} data-active={active} onClick={() => sort.onSort(column)}>
      {name}
      <IconOf size={16} stroke={1.75} aria-hidden="true" />
    </UnstyledButton>
  );
}

function sortOf(column: string, sort: Sort | undefined) {
  if (sort?.key !== column) return undefined;
  return sort.direction === 'asc' ? 'ascending' : 'descending';
}

/**
 * Announces another order, which `aria-sort` only tells those who read the header again. The order that a page opens
 * with is silent.
 */
function useAnnouncedOrder(
  sort: Sort | undefined,
  columns: readonly { key: string; header: string }[],
): void {
  const liveRegion = use(LiveRegion);
  const header = columns.find(({ key }) => key === sort?.key)?.header;
  const order = header && `Ordine ${sort?.direction === 'asc' ? 'crescente' : 'decrescente'} per ${header}`;
  const known = useRef(order);
  useEffect(() => {
    const status = liveRegion?.current;
    if (!status || !order || known.current === order) return;
    known.current = order;
    return announce(status, order);
  }, [liveRegion, order]);
}

/** Rows as a table, or as cards if the table would not fit: nothing scrolls sideways. On paper always a table. */
export function DataTable<Row extends object>(props: Props<Row>) {
  const printing = usePrinting();
  const [ref, fits] = useContainerMinWidth(props.tableFrom ?? TABLE_FROM);
  const wide = printing || fits;
  useAnnouncedOrder(props.sort, props.columns);
  return (
    <div ref={ref}>{wide !== undefined && <Rows {...props} {...{ wide, printing }} around={ref} />}</div>
  );
}

let loaded: typeof VirtualRows | null = null;

/** The code for a list of `count` rows that renders only some of them; null while all are rendered. */
function useVirtualRows(count: number): typeof VirtualRows | null {
  const [code, setCode] = useState(() => loaded);
  // Before the next page of the list needs it.
  const wanted = count > ALL_RENDERED / 2 && code === null;
  useEffect(() => {
    if (!wanted) return;
    let current = true;
    loadInBackground(() => import('./virtual-rows.tsx')).then((module) => {
      loaded = module?.VirtualRows ?? null;
      if (current) startTransition(() => setCode(() => loaded));
    });
    return () => {
      current = false;
    };
  }, [wanted]);
  return count > ALL_RENDERED ? code : null;
}

function Rows<Row extends object>({
  wide,
  printing,
  around,
  ...props
}: Props<Row> & { wide: boolean; printing: boolean; around: RefObject<HTMLElement | null> }) {
  const [open, setOpen] = useState<ReadonlySet<string | number>>(new Set());
  const onToggle = useCallback(
    (key: string | number) =>
      setOpen((current) => {
        const next = new Set(current);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    [],
  );
  const id = useId();
  const Virtual = useVirtualRows(props.rows.length);
  const { rows, rowKey, columns, title, cardTitle, cardBadge, actions, details, selection } = props;
  const renderRow: RenderRow<Row> = (row, place) => {
    const key = rowKey(row);
    return (
      <MemoEntry
        key={key}
        id={key}
        Form={wide ? TableRow : CardRow}
        {...{ row, columns, title, cardTitle, cardBadge, actions, details, onToggle }}
        {...place}
        selected={selection?.selected.has(key)}
        onSelect={selection?.onSelect}
        open={open.has(key)}
        detailsId={`${id}-${key}`}
      />
    );
  };
  const renderList: RenderList = (entries, virtual) =>
    wide ? (
      <WideTable {...props} widths={virtual?.widths}>
        {entries}
      </WideTable>
    ) : (
      <ul
        ref={virtual?.cards}
        className={styles.cards}
        aria-label={props.caption}
        data-virtual={virtual && true}
      >
        {entries}
      </ul>
    );
  return (
    <InTable value={wide}>
      {Virtual && !printing ? (
        <Virtual {...{ around, wide, rows, rowKey, renderRow, renderList }} />
      ) : (
        <AllRows {...{ wide, rows, renderRow, renderList }} atOnce={printing} />
      )}
    </InTable>
  );
}

function AllRows<Row>({
  wide,
  rows,
  renderRow,
  renderList,
  atOnce,
}: {
  wide: boolean;
  rows: readonly Row[];
  renderRow: RenderRow<Row>;
  renderList: RenderList;
  atOnce: boolean;
}) {
  // One more than there are: a new row above would otherwise remove the last one for a frame, with the focus that is in it.
  const shown = useIncrementalCount(rows.length + 1, wide ? ROWS_AT_ONCE : CARDS_AT_ONCE);
  const entries = rows.slice(0, atOnce ? rows.length : shown).map((row) => renderRow(row));
  return renderList(wide ? <tbody>{entries}</tbody> : entries);
}

function WideTable<Row>({
  caption,
  rows,
  rowKey,
  columns,
  actions,
  details,
  sort,
  selection,
  widths,
  children,
}: Props<Row> & {
  /** Widths of the columns in percent, for a table that renders only some of its rows. */
  widths?: readonly number[];
  children: ReactNode;
}) {
  const keys = rows.map(rowKey);
  const chosen = keys.filter((key) => selection?.selected.has(key)).length;
  return (
    <div className={styles.frame}>
      <table
        className={table.table}
        data-rows
        data-virtual={widths && true}
        // With the header; the rendered rows say which ones they are.
        aria-rowcount={widths && rows.length + 1}
      >
        <TableCaption>{caption}</TableCaption>
        {widths && (
          <colgroup>
            {widths.map((width, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
              <col key={column} style={{ width: `${width}%` }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr aria-rowindex={widths && 1}>
            {selection && (
              <th className={styles.narrow}>
                <RowCheckbox
                  label="Seleziona tutte le righe"
                  checked={chosen > 0 && chosen === keys.length}
                  indeterminate={chosen > 0 && chosen < keys.length}
                  onChange={(all) => selection.onSelect(keys, all)}
                />
              </th>
            )}
            {details && (
              <th className={styles.narrow}>
                <span className="visually-hidden">Dettagli</span>
              </th>
            )}
            {columns.filter(inTable).map((column) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={sortOf(column.key, sort)}
                className={column.align === 'end' ? styles.end : undefined}
              >
                {column.sortable && sort ? (
                  <SortableHeader name={column.header} column={column.key} sort={sort} />
                ) : (
                  column.header
                )}
              </th>
            ))}
            {actions && (
              <th scope="col" className={`${styles.end} ${styles.pressed}`}>
                Azioni
              </th>
            )}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}
