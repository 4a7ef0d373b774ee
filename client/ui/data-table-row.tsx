import { IconChevronDown } from '@tabler/icons-react';
import { createContext, memo, type ReactNode, use } from 'react';
import { useAfterPaint } from '#client/lib/after-paint.ts';
import styles from './data-table.module.css';
import { IconButton } from './icon-button.tsx';
import { RowCheckbox } from './row-checkbox.tsx';
import { HeadingBelow } from './section.tsx';

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

/** Whether a column is one of a table's, not only a line of cards. */
export const inTable = ({ cardOnly }: { cardOnly?: boolean }) => !cardOnly;

/** Whether the rows around are those of a table, not cards. */
export const InTable = createContext(false);

/**
 * Where the menu of a row opens so that it stays above its own table or card: in the last column, or at the foot of the
 * card.
 */
export function useRowMenuPosition(): 'bottom-end' | 'bottom-start' {
  return use(InTable) ? 'bottom-end' : 'bottom-start';
}

/** What a row shows, as a row of a table or as a card. */
export type RowContent<Row> = {
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
};

/** Which rows are selected, for actions on several at once. */
export type Selection = {
  selected: ReadonlySet<string | number>;
  /** Selects or deselects these rows. */
  onSelect: (keys: readonly (string | number)[], chosen: boolean) => void;
};

/** Where a row is in a list that renders only some of its rows. */
export type RowPlace = {
  /** Its index among all rows. */
  index: number;
  /** How many rows there are. */
  count: number;
  /** The line it is on: of the table, or of the grid of cards. */
  line: number;
  /** For the first row of a line, which is as high as the line. */
  measure: ((element: HTMLElement | null) => void) | undefined;
};

/** Props of both forms of a row. */
type FormProps<Row> = Omit<RowContent<Row>, 'details'> & {
  row: Row;
  /** Undefined in a list that renders all of its rows. */
  place: RowPlace | undefined;
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

/** What the list around an entry looks for. */
const entryAttributes = (place: RowPlace | undefined) => ({
  'data-entry': true,
  'data-index': place?.index,
  'data-line': place?.line,
  ref: place?.measure,
});

/** A row of a table. Where not all are rendered, it is a body of its own, which is measured together with the details. */
export function TableRow<Row>({
  row,
  place,
  columns,
  actions,
  selected,
  checkbox,
  expander,
  details,
  detailsId,
}: FormProps<Row>) {
  const further = [actions, expander, checkbox].filter(Boolean).length;
  const attributes = entryAttributes(place);
  const content = (
    <>
      <tr
        data-selected={selected}
        // The header is the first row.
        aria-rowindex={place && place.index + 2}
        {...(place ? {} : attributes)}
      >
        {checkbox && <td className={styles.narrow}>{checkbox}</td>}
        {expander && <td className={styles.narrow}>{expander}</td>}
        <MemoCells row={row} columns={columns} actions={actions} />
      </tr>
      {details && (
        <tr className={styles.details} id={detailsId} data-details>
          <td colSpan={columns.filter(inTable).length + further}>{details}</td>
        </tr>
      )}
    </>
  );
  return place ? <tbody {...attributes}>{content}</tbody> : content;
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

/** A row as a card. */
export function CardRow<Row>({
  row,
  place,
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
  const Heading = use(HeadingBelow);
  return (
    <li
      className={styles.card}
      data-selected={selected}
      aria-setsize={place?.count}
      aria-posinset={place && place.index + 1}
      {...entryAttributes(place)}
    >
      <div className={styles.cardHead}>
        <div className={styles.cardName}>
          {checkbox}
          <Heading className={styles.cardTitle} data-name>
            {cardTitle ? cardTitle(row) : title(row)}
          </Heading>
        </div>
        <div className={styles.cardMarks}>
          {cardBadge?.(row)}
          {expander}
        </div>
      </div>
      <MemoLines row={row} columns={columns} />
      {details && (
        <div className={styles.cardDetails} id={detailsId} data-details>
          {details}
        </div>
      )}
      {actions && <div className={styles.cardActions}>{actions(row)}</div>}
    </li>
  );
}

type EntryProps<Row> = Omit<FormProps<Row>, 'checkbox' | 'expander' | 'details' | 'place'> &
  Pick<RowContent<Row>, 'details'> &
  // Each on its own: an object would be another one in each render.
  Partial<RowPlace> & {
    Form: (props: FormProps<Row>) => ReactNode;
    id: string | number;
    onSelect: Selection['onSelect'] | undefined;
    open: boolean;
    onToggle: (id: string | number) => void;
  };

function Entry<Row>({
  Form,
  id,
  onSelect,
  open,
  onToggle,
  details,
  index,
  count,
  line,
  measure,
  ...shown
}: EntryProps<Row>) {
  const { row, title, selected, detailsId } = shown;
  const partial = index !== undefined && count !== undefined && line !== undefined;
  /** The details may take longer than a frame to render; a row that comes back into sight has the height it had. */
  const opened = useAfterPaint(open, open) && open;
  return (
    <Form
      {...shown}
      place={partial ? { index, count, line, measure } : undefined}
      details={opened ? details?.(row) : undefined}
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
            aria-label={`Dettagli di ${title(row)}`}
            aria-expanded={open}
            aria-controls={opened ? detailsId : undefined}
            onClick={() => onToggle(id)}
          >
            <IconChevronDown className={styles.chevron} data-open={open} size={20} aria-hidden="true" />
          </IconButton>
        )
      }
    />
  );
}

/**
 * A row in the form that fits, rendered again only when one of its props changes.
 */
// `memo` drops the type parameter of a generic component.
export const MemoEntry = memo(Entry) as typeof Entry;
