import { isSampleInvoice, partsOfNumber } from '#contract/invoices.ts';
import styles from './invoice-number.module.css';

/** An invoice number, which is long: its prefix and time soft, its code plain, broken between them where it must. */
export function InvoiceNumber({ number }: { number: string }) {
  // An example's is short, and no number of the product's shape.
  if (isSampleInvoice(number)) return <span className={styles.number}>{number}</span>;
  const [time, code] = partsOfNumber(number);
  return (
    <span className={styles.number}>
      <span className={styles.time}>{time}</span>
      <wbr />
      <span className={styles.code}>{code}</span>
    </span>
  );
}
