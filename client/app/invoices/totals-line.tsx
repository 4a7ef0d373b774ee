import type { InvoiceTotals } from '#contract/invoices.ts';
import { formatEuro } from '#contract/money.ts';
import { invoiceCount } from './invoice-words.ts';
import styles from './totals-line.module.css';

/**
 * Sums over everything the filters match, whatever page is shown; omitted when there are more than `count` invoices.
 */
export function TotalsLine({ count, totals }: { count: number; totals: InvoiceTotals | null }) {
  if (totals === null) {
    return (
      <p role="status" className={styles.totals}>
        Più di {invoiceCount(count)}: restringi la ricerca per vederne i totali.
      </p>
    );
  }
  return (
    <div role="status">
      {/* A new list is read whole; of a changed one, only the changed figures would be, without their names. */}
      <dl
        key={`${count} ${totals.amount} ${totals.paid}`}
        className={styles.totals}
        aria-label="Totali delle fatture filtrate"
      >
        <div>
          <dt>{invoiceCount(count)}</dt>
          <dd className={styles.sum}>{formatEuro(totals.amount)}</dd>
        </div>
        <div>
          <dt>Pagate</dt>
          <dd>{formatEuro(totals.paid)}</dd>
        </div>
        <div>
          <dt>Da pagare</dt>
          <dd>{formatEuro(totals.unpaid)}</dd>
        </div>
      </dl>
    </div>
  );
}
