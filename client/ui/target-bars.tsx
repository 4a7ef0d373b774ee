import { Fragment, type ReactNode } from 'react';
import { TableCaption } from './table-caption.tsx';
import styles from './target-bars.module.css';

/** A line: the achieved and target values, as numbers and as text. A target of 0 means none. */
export type TargetBar = {
  key: string | number;
  name: ReactNode;
  value: number;
  target: number;
  valueText: string;
  targetText: string;
};

/**
 * Values compared with their targets: a table with a bar below each row, so that picture and numbers are one. The finding
 * is stated above, and not its name too, or screen readers would read it twice.
 */
export function TargetBars({
  finding,
  caption,
  valueHeader,
  targetHeader,
  bars,
}: {
  finding: ReactNode;
  /** What the table contains, for screen readers. */
  caption: string;
  valueHeader: string;
  targetHeader: string;
  bars: readonly TargetBar[];
}) {
  return (
    <div className={styles.frame}>
      <p className={styles.finding}>{finding}</p>
      <table className={styles.table}>
        <TableCaption>{caption}</TableCaption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{valueHeader}</th>
            <th scope="col">{targetHeader}</th>
          </tr>
        </thead>
        {bars.map(({ key, name, value, target, valueText, targetText }) => {
          const over = target > 0 && value > target;
          const full = Math.max(value, target, 1);
          return (
            <Fragment key={key}>
              <tbody>
                <tr>
                  <th scope="rowgroup" colSpan={2} className={styles.name}>
                    {name}
                  </th>
                </tr>
                <tr>
                  <td className={over ? styles.excess : undefined}>
                    {valueText} <span aria-hidden="true">{valueHeader.toLowerCase()}</span>
                  </td>
                  <td className={styles.goal}>
                    {target > 0 && <span aria-hidden="true">su </span>}
                    {targetText}
                  </td>
                </tr>
              </tbody>
              <tbody aria-hidden="true">
                <tr>
                  <td colSpan={2} className={styles.bar}>
                    <div className={styles.track}>
                      <div
                        className={styles.value}
                        data-over={over}
                        style={{ width: `${(value / full) * 100}%` }}
                      />
                      {over && (
                        <div className={styles.target} style={{ left: `${(target / full) * 100}%` }} />
                      )}
                    </div>
                  </td>
                </tr>
              </tbody>
            </Fragment>
          );
        })}
      </table>
    </div>
  );
}
