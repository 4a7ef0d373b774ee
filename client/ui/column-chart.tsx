import type { ReactNode } from 'react';
import styles from './column-chart.module.css';
import { TableCaption } from './table-caption.tsx';

/** A column: its full and short name, its height, and the value as text. */
export type ChartColumn = { key: string; name: string; label: string; value: number; text: string };

/**
 * A column chart over time. The finding is stated above, not in a caption, which screen readers read twice: as the name of
 * the figure and as its words. The picture is decorative, and a table contains the same numbers. The table opens above the
 * picture, which fills what height is left, so that its button stays in place. Drawn with CSS, because a charting library
 * would be larger than the rest of the page.
 */
export function ColumnChart({
  finding,
  caption,
  nameHeader,
  valueHeader,
  columns,
}: {
  finding: ReactNode;
  /** What the table contains, for screen readers. */
  caption: string;
  /** Column headers of the table. */
  nameHeader: string;
  valueHeader: string;
  columns: readonly ChartColumn[];
}) {
  const highest = Math.max(...columns.map(({ value }) => value), 1);
  return (
    <figure className={styles.figure}>
      <p className={styles.finding}>{finding}</p>
      <details className={styles.numbers}>
        <summary>
          <span className={styles.toShow}>Mostra</span>
          <span className={styles.toHide}>Nascondi</span> i numeri
        </summary>
        <table className={styles.table}>
          <TableCaption>{caption}</TableCaption>
          <thead>
            <tr>
              <th scope="col" className={styles.header}>
                {nameHeader}
              </th>
              <th scope="col" className={`${styles.header} ${styles.number}`}>
                {valueHeader}
              </th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ key, name, text }) => (
              <tr key={key}>
                <th scope="row" className={styles.cell}>
                  {name}
                </th>
                <td className={`${styles.cell} ${styles.number}`}>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      <div className={styles.plot} aria-hidden="true">
        {columns.map(({ key, name, label, value, text }) => (
          <div key={key} className={styles.column} title={`${name}: ${text}`}>
            <div className={styles.space}>
              <div
                className={styles.bar}
                data-highest={value === highest}
                style={{ height: `${(value / highest) * 100}%` }}
              />
            </div>
            <span className={styles.label}>{label}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}
