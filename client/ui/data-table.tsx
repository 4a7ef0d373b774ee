import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconChevronDown } from '@tabler/icons-react';
import { createContext, memo, type ReactNode, use, useCallback, useId, useState } from 'react';
import { useContainerMinWidth } from './container-min-width.ts';
import styles from './data-table.module.css';
import { IconButton } from './icon-button.tsx';
import { CARDS_AT_ONCE, useIncrementalCount } from './incremental-render.ts';
import { RowCheckbox } from './row-checkbox.tsx';
import table from './table.module.css';

/** A column of a `DataTable`, or a line of its card. */
export type Column<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** `end` for numbers, so that their digits line up. */
  align?: 'start' | 'end';
  /** Hidden in cards, because the card's title already says it. */
  tableOnly?: boolean;
  /** Hidden in tables, because another column shows it as well; hidden in cards where it is empty. */
  cardOnly?: boolean;
  /** Never wraps: for dates, amounts, states. */
  nowrap?: boolean;
  /** Wraps only between words: for dates with a time or a second date. Names and addresses may break anywhere. */
  wholeWords?: boolean;
  /** The header sorts the table by this column; see `sort`. */
  sortable?: boolean;
};

/** How the rows are sorted. Cards have no headers, so the page offers the same choice above them. */
export type Sort = { key: string; direction: 'asc' | 'desc'; onSort: (key: string) => void };

/** Which rows are selected, for actions on several at once. */
export type Selection = {
  selected: ReadonlySet<string | number>;
  /** Selects or deselects these rows. */
  onSelect: (keys: readonly (string | number)[], chosen: boolean) => void;
};

/** Minimum width in rem for a table with a few short columns. */
const TABLE_FROM = 46;

/** Rows of a table that fill a screen. */
const ROWS_AT_ONCE = 12;

const InTable = createContext(false);

/**
 * Where the menu of a row opens so that it stays above its own table or card: in the last column, or at the foot of the
 * card.
 */
export function useRowMenuPosition(): 'bottom-end' | 'bottom-start' {
  return use(InTable) ? 'bottom-end' : 'bottom-start';
}

/**
 * A row is only rendered again when one of these props changes. Pass stable functions (defined outside the component,
 * or with `useCallback`), so that a long list is not rendered for every letter typed above it.
 */
type Props<Row> = {
  /** What the table contains, for screen readers. */
  caption: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  columns: readonly Column<Row>[];
  /** The name of a row: the heading of its card, and part of the names of its actions and expander. */
  title: (row: Row) => string;
  /** The title in cards, if it is more than text. */
  cardTitle?: (row: Row) => ReactNode;
  /** Shown beside the card's title, such as the status. Columns with the same content are `tableOnly`. */
  cardBadge?: (row: Row) => ReactNode;
  /** Buttons of a row, in the last table column ('Azioni') or at the foot of the card. */
  actions?: (row: Row) => ReactNode;
  /** Additional content of a row, collapsed by default. */
  details?: (row: Row) => ReactNode;
  sort?: Sort;
  selection?: Selection;
  /** Minimum width in rem for the table; below it, rows are shown as cards. */
  tableFrom?: number;
  /** Less space between columns, for tables with many. */
  dense?: boolean;
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

/** Rows as a table, or as cards if the table would not fit: nothing scrolls sideways. */
export function DataTable<Row>(props: Props<Row>) {
  const [ref, wide] = useContainerMinWidth(props.tableFrom ?? TABLE_FROM);
  return <div ref={ref}>{wide !== undefined && <Rows {...props} wide={wide} />}</div>;
}

function Rows<Row>({ wide, ...props }: Props<Row> & { wide: boolean }) {
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
  const { rows, rowKey, columns, title, cardTitle, cardBadge, actions, details, selection } = props;
  const shown = useIncrementalCount(rows.length, wide ? ROWS_AT_ONCE : CARDS_AT_ONCE);
  const entries = rows.slice(0, shown).map((row) => {
    const key = rowKey(row);
    return (
      <MemoEntry
        key={key}
        id={key}
        Form={wide ? TableRow : CardRow}
        {...{ row, columns, title, cardTitle, cardBadge, actions, details, onToggle }}
        selected={selection?.selected.has(key)}
        onSelect={selection?.onSelect}
        open={open.has(key)}
        detailsId={`${id}-${key}`}
      />
    );
  });
  return (
    <InTable value={wide}>
      {wide ? (
        <WideTable {...props}>{entries}</WideTable>
      ) : (
        <ul className={styles.cards} aria-label={props.caption}>
          {entries}
        </ul>
      )}
    </InTable>
  );
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
  dense,
  children,
}: Props<Row> & { children: ReactNode }) {
  const keys = rows.map(rowKey);
  const chosen = keys.filter((key) => selection?.selected.has(key)).length;
  return (
    <div className={styles.frame}>
      <table className={table.table} data-rows data-dense={dense}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
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
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

const inTable = ({ cardOnly }: { cardOnly?: boolean }) => !cardOnly;

/** Props of both forms of a row. */
type FormProps<Row> = Pick<Props<Row>, 'columns' | 'title' | 'cardTitle' | 'cardBadge' | 'actions'> & {
  row: Row;
  /** Whether the row is selected; undefined if rows cannot be selected. */
  selected: boolean | undefined;
  checkbox: ReactNode;
  expander: ReactNode;
  /** Undefined while collapsed. */
  details: ReactNode;
  detailsId: string;
};

type ContentProps<Row> = Pick<FormProps<Row>, 'row' | 'columns' | 'actions'>;

function Cells<Row>({ row, columns, actions }: ContentProps<Row>) {
  return (
    <>
      {columns.filter(inTable).map((column, index) => {
        // The first column names its row, also to whoever hears one column from top to bottom.
        const Cell = index === 0 ? 'th' : 'td';
        return (
          <Cell
            key={column.key}
            scope={index === 0 ? 'row' : undefined}
            className={column.align === 'end' ? styles.end : styles.cell}
            data-nowrap={column.nowrap}
            data-whole-words={column.wholeWords}
          >
            {column.cell(row)}
          </Cell>
        );
      })}
      {actions && (
        <td className={`${styles.end} ${styles.pressed}`}>
          <div className={styles.actions}>{actions(row)}</div>
        </td>
      )}
    </>
  );
}
/**
 * The cells of a row without its selection, so that selecting a thousand rows does not render all of their content
 * again.
 */
const MemoCells = memo(Cells) as typeof Cells;

function TableRow<Row>({
  row,
  columns,
  actions,
  selected,
  checkbox,
  expander,
  details,
  detailsId,
}: FormProps<Row>) {
  const further = [actions, expander, checkbox].filter(Boolean).length;
  return (
    <>
      <tr data-selected={selected} data-entry>
        {checkbox && <td className={styles.narrow}>{checkbox}</td>}
        {expander && <td className={styles.narrow}>{expander}</td>}
        <MemoCells row={row} columns={columns} actions={actions} />
      </tr>
      {details && (
        <tr className={styles.details} id={detailsId}>
          <td colSpan={columns.filter(inTable).length + further}>{details}</td>
        </tr>
      )}
    </>
  );
}

function Lines<Row>({ row, columns }: Omit<ContentProps<Row>, 'actions'>) {
  return (
    <dl className={styles.lines}>
      {columns
        .filter(({ tableOnly, cardOnly, cell }) => !tableOnly && !(cardOnly && !cell(row)))
        .map((column) => (
          <div key={column.key} className={styles.line}>
            <dt>{column.header}</dt>
            <dd>{column.cell(row)}</dd>
          </div>
        ))}
    </dl>
  );
}
/** The content of a card, likewise. */
const MemoLines = memo(Lines) as typeof Lines;

function CardRow<Row>({
  row,
  columns,
  title,
  cardTitle,
  cardBadge,
  actions,
  selected,
  checkbox,
  expander,
  details,
  detailsId,
}: FormProps<Row>) {
  return (
    <li className={styles.card} data-selected={selected} data-entry>
      <div className={styles.cardHead}>
        <div className={styles.cardName}>
          {checkbox}
          <h3 className={styles.cardTitle}>{cardTitle ? cardTitle(row) : title(row)}</h3>
        </div>
        <div className={styles.cardMarks}>
          {cardBadge?.(row)}
          {expander}
        </div>
      </div>
      <MemoLines row={row} columns={columns} />
      {details && (
        <div className={styles.cardDetails} id={detailsId}>
          {details}
        </div>
      )}
      {actions && <div className={styles.cardActions}>{actions(row)}</div>}
    </li>
  );
}

type EntryProps<Row> = Omit<FormProps<Row>, 'checkbox' | 'expander' | 'details'> &
  Pick<Props<Row>, 'details'> & {
    Form: (props: FormProps<Row>) => ReactNode;
    id: string | number;
    onSelect: Selection['onSelect'] | undefined;
    open: boolean;
    onToggle: (id: string | number) => void;
  };

function Entry<Row>({ Form, id, onSelect, open, onToggle, details, ...shown }: EntryProps<Row>) {
  const { row, title, selected, detailsId } = shown;
  return (
    <Form
      {...shown}
      details={open ? details?.(row) : undefined}
      checkbox={
        onSelect && (
          <RowCheckbox
            label={`Seleziona ${title(row)}`}
            checked={selected === true}
            onChange={(chosen) => onSelect([id], chosen)}
          />
        )
      }
      expander={
        details && (
          <IconButton
            aria-label={`${open ? 'Nascondi' : 'Mostra'} i dettagli di ${title(row)}`}
            aria-expanded={open}
            aria-controls={open ? detailsId : undefined}
            onClick={() => onToggle(id)}
          >
            <IconChevronDown className={styles.chevron} data-open={open} size={20} aria-hidden="true" />
          </IconButton>
        )
      }
    />
  );
}

// `memo` drops the type parameter of a generic component.
const MemoEntry = memo(Entry) as typeof Entry;
