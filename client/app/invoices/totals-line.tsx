import { useCurrentWords } from '#client/ui/load-more.tsx';
import type { InvoiceTotals } from '#contract/invoices.ts';
import { formatEuro } from '#contract/money.ts';
import { invoiceCount } from './invoice-words.ts';
import styles from './totals-line.module.css';

/**
 * Sums over everything the filters match, whatever page is shown; omitted when there are more than `count` invoices.
 * @param current whether nothing newer has been asked for
 */
export function TotalsLine({
  count,
  totals,
  current,
}: {
  count: number;
  totals: InvoiceTotals | null;
  current: boolean;
}) {
  const { region, key } = useCurrentWords(`${count} ${totals?.amount} ${totals?.paid}`, current);
  if (totals === null) {
    return (
      <p role="status" className={styles.totals}>
        Più di {invoiceCount(count)}: restringi la ricerca per vederne i totali.
      </p>
    );
  }
  return (
    <div {...region}>
      <dl key={key} className={styles.totals} aria-label="Totali delle fatture filtrate">
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
