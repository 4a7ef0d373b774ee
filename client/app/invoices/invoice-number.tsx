import { isSampleInvoice, partsOfNumber } from '#contract/invoices.ts';
import styles from './invoice-number.module.css';

/** An invoice number: it is long, so prefix and time are dimmed, and it may break before the code. */
export function InvoiceNumber({ number }: { number: string }) {
  // A sample's number is short and has another format.
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
