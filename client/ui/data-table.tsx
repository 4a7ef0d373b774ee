import { ActionIcon, Card, Checkbox, Table, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp, IconChevronDown } from '@tabler/icons-react';
import { createContext, Fragment, type ReactNode, use, useId, useState } from 'react';
import styles from './data-table.module.css';

/** One column of a `DataTable`, or one line of its card. */
export type Column<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** `end` for figures, so that their digits line up. */
  align?: 'start' | 'end';
  /** Left out of the card, for what the card's title already says. */
  tableOnly?: boolean;
  /** Left out of the table, for what another of its columns shows as well; a card leaves it out where it is empty. */
  cardOnly?: boolean;
  /** Kept on one line: dates, amounts, states. */
  nowrap?: boolean;
  /** Wrapped between words only: dates with a time or another date. Names and addresses break wherever they must. */
  wholeWords?: boolean;
  /** The header orders the table by this column; see `sort`. */
  sortable?: boolean;
};

/** How the rows are ordered. Cards have no headers: the page offers the same choice above them. */
export type Sort = { key: string; direction: 'asc' | 'desc'; onSort: (key: string) => void };

/** Which rows are chosen, for something done to several at once. */
export type Selection = {
  selected: ReadonlySet<string | number>;
  /** Chooses these rows, or gives them up. */
  onSelect: (keys: readonly (string | number)[], chosen: boolean) => void;
};

/** Below this width a table would scroll sideways beside the open side menu: rows become cards. */
const TABLE_FROM = '(min-width: 64em)';

const InTable = createContext(false);

/** Where the menu of a row opens, so that it stays above its own table or card: the last column, or the card's foot. */
export function useRowMenuPosition(): 'bottom-end' | 'bottom-start' {
  return use(InTable) ? 'bottom-end' : 'bottom-start';
}

type Props<Row> = {
  /** What the table holds, for screen readers. */
  caption: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  columns: readonly Column<Row>[];
  /** What a row is called: its card is headed by it, its actions and expander are named after it. */
  title: (row: Row) => string;
  /** The title as a card shows it, where that is more than its text. */
  cardTitle?: (row: Row) => ReactNode;
  /** Beside the card's title, such as its status. Columns that say the same are `tableOnly`. */
  cardBadge?: (row: Row) => ReactNode;
  /** Buttons of a row: the last column ('Azioni') of the table, the foot of the card. */
  actions?: (row: Row) => ReactNode;
  /** Further content of a row, folded until asked for. */
  details?: (row: Row) => ReactNode;
  sort?: Sort;
  selection?: Selection;
  /** From which width on there is room for a table, where the usual one is too narrow for its columns. */
  tableFrom?: string;
  /** Less room between columns, for a table of many. */
  dense?: boolean;
};

function Expander({
  name,
  open,
  controls,
  onToggle,
}: {
  name: string;
  open: boolean;
  controls: string;
  onToggle: () => void;
}) {
  return (
    <ActionIcon
      aria-label={`${open ? 'Nascondi' : 'Mostra'} i dettagli di ${name}`}
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      onClick={onToggle}
    >
      <IconChevronDown className={styles.chevron} data-open={open} size={20} aria-hidden="true" />
    </ActionIcon>
  );
}

function RowCheckbox({
  name,
  rowKey,
  selection,
}: {
  name: string;
  rowKey: string | number;
  selection: Selection;
}) {
  return (
    <Checkbox
      aria-label={`Seleziona ${name}`}
      checked={selection.selected.has(rowKey)}
      onChange={(event) => selection.onSelect([rowKey], event.currentTarget.checked)}
    />
  );
}

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

/** Rows as a table on wide screens and as a list of cards on narrow ones: nothing scrolls sideways. */
export function DataTable<Row>(props: Props<Row>) {
  const wide = useMediaQuery(props.tableFrom ?? TABLE_FROM, undefined, { getInitialValueInEffect: false });
  const [open, setOpen] = useState<ReadonlySet<string | number>>(new Set());
  const id = useId();
  const toggle = (key: string | number) =>
    setOpen((current) => {
      const next = new Set(current);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  const expansion = { open, toggle, controls: (key: string | number) => `${id}-${key}` };
  return (
    <InTable value={wide}>
      {wide ? <WideTable {...props} expansion={expansion} /> : <CardList {...props} expansion={expansion} />}
    </InTable>
  );
}

type Expansion = {
  open: ReadonlySet<string | number>;
  toggle: (key: string | number) => void;
  controls: (key: string | number) => string;
};

function WideTable<Row>({
  caption,
  rows,
  rowKey,
  columns: all,
  title,
  actions,
  details,
  sort,
  selection,
  dense,
  expansion,
}: Props<Row> & { expansion: Expansion }) {
  const columns = all.filter(({ cardOnly }) => !cardOnly);
  const width = columns.length + (actions ? 1 : 0) + (details ? 1 : 0) + (selection ? 1 : 0);
  const keys = rows.map(rowKey);
  const chosen = keys.filter((key) => selection?.selected.has(key)).length;
  return (
    <div className={styles.frame}>
      <Table highlightOnHover horizontalSpacing={dense ? 'xs' : undefined}>
        <caption className="visually-hidden">{caption}</caption>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th className={styles.narrow}>
                <Checkbox
                  aria-label="Seleziona tutte le righe"
                  checked={chosen > 0 && chosen === keys.length}
                  indeterminate={chosen > 0 && chosen < keys.length}
                  onChange={(event) => selection.onSelect(keys, event.currentTarget.checked)}
                />
              </Table.Th>
            )}
            {details && (
              <Table.Th className={styles.narrow}>
                <span className="visually-hidden">Dettagli</span>
              </Table.Th>
            )}
            {columns.map((column) => (
              <Table.Th
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
              </Table.Th>
            ))}
            {actions && (
              <Table.Th scope="col" className={styles.end}>
                Azioni
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const key = rowKey(row);
            const isOpen = expansion.open.has(key);
            return (
              <Fragment key={key}>
                <Table.Tr data-selected={selection?.selected.has(key)}>
                  {selection && (
                    <Table.Td className={styles.narrow}>
                      <RowCheckbox name={title(row)} rowKey={key} selection={selection} />
                    </Table.Td>
                  )}
                  {details && (
                    <Table.Td className={styles.narrow}>
                      <Expander
                        name={title(row)}
                        open={isOpen}
                        controls={expansion.controls(key)}
                        onToggle={() => expansion.toggle(key)}
                      />
                    </Table.Td>
                  )}
                  {columns.map((column) => (
                    <Table.Td
                      key={column.key}
                      className={column.align === 'end' ? styles.end : styles.cell}
                      data-nowrap={column.nowrap}
                      data-whole-words={column.wholeWords}
                    >
                      {column.cell(row)}
                    </Table.Td>
                  ))}
                  {actions && (
                    <Table.Td className={styles.end}>
                      <div className={styles.actions}>{actions(row)}</div>
                    </Table.Td>
                  )}
                </Table.Tr>
                {details && isOpen && (
                  <Table.Tr className={styles.details} id={expansion.controls(key)}>
                    <Table.Td colSpan={width}>{details(row)}</Table.Td>
                  </Table.Tr>
                )}
              </Fragment>
            );
          })}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function CardList<Row>({
  caption,
  rows,
  rowKey,
  columns,
  title,
  cardTitle,
  cardBadge,
  actions,
  details,
  selection,
  expansion,
}: Props<Row> & { expansion: Expansion }) {
  return (
    <ul className={styles.cards} aria-label={caption}>
      {rows.map((row) => {
        const key = rowKey(row);
        const isOpen = expansion.open.has(key);
        return (
          <Card key={key} component="li" padding="md">
            <div className={styles.cardHead}>
              {selection && <RowCheckbox name={title(row)} rowKey={key} selection={selection} />}
              <h3 className={styles.cardTitle}>{cardTitle ? cardTitle(row) : title(row)}</h3>
              {cardBadge?.(row)}
              {details && (
                <Expander
                  name={title(row)}
                  open={isOpen}
                  controls={expansion.controls(key)}
                  onToggle={() => expansion.toggle(key)}
                />
              )}
            </div>
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
            {details && isOpen && (
              <div className={styles.cardDetails} id={expansion.controls(key)}>
                {details(row)}
              </div>
            )}
            {actions && <div className={styles.cardActions}>{actions(row)}</div>}
          </Card>
        );
      })}
    </ul>
  );
}
