import { ActionIcon, Card, Table } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { Fragment, type ReactNode, useId, useState } from 'react';
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
};

/** Below this width a table would scroll sideways beside the open side menu: rows become cards. */
const TABLE_FROM = '(min-width: 64em)';

type Props<Row> = {
  /** What the table holds, for screen readers. */
  caption: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  columns: readonly Column<Row>[];
  /** What a card is headed by, and its actions and expander are named after. */
  title: (row: Row) => string;
  /** Beside the card's title, such as its status. Columns that say the same are `tableOnly`. */
  cardBadge?: (row: Row) => ReactNode;
  /** Buttons of a row: the last column ('Azioni') of the table, the foot of the card. */
  actions?: (row: Row) => ReactNode;
  /** Further content of a row, folded until asked for. */
  details?: (row: Row) => ReactNode;
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

/** Rows as a table on wide screens and as a list of cards on narrow ones: nothing scrolls sideways. */
export function DataTable<Row>(props: Props<Row>) {
  const wide = useMediaQuery(TABLE_FROM, undefined, { getInitialValueInEffect: false });
  const [open, setOpen] = useState<ReadonlySet<string | number>>(new Set());
  const id = useId();
  const toggle = (key: string | number) =>
    setOpen((current) => {
      const next = new Set(current);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  const expansion = { open, toggle, controls: (key: string | number) => `${id}-${key}` };
  return wide ? (
    <WideTable {...props} expansion={expansion} />
  ) : (
    <CardList {...props} expansion={expansion} />
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
  columns,
  title,
  actions,
  details,
  expansion,
}: Props<Row> & { expansion: Expansion }) {
  const width = columns.length + (actions ? 1 : 0) + (details ? 1 : 0);
  return (
    <div className={styles.frame}>
      <Table highlightOnHover>
        <caption className="visually-hidden">{caption}</caption>
        <Table.Thead>
          <Table.Tr>
            {details && (
              <Table.Th className={styles.narrow}>
                <span className="visually-hidden">Dettagli</span>
              </Table.Th>
            )}
            {columns.map((column) => (
              <Table.Th
                key={column.key}
                scope="col"
                className={column.align === 'end' ? styles.end : undefined}
              >
                {column.header}
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
                <Table.Tr>
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
                    <Table.Td key={column.key} className={column.align === 'end' ? styles.end : styles.cell}>
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
  cardBadge,
  actions,
  details,
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
              <h3 className={styles.cardTitle}>{title(row)}</h3>
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
                .filter((column) => !column.tableOnly)
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
