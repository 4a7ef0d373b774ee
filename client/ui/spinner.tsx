import styles from './spinner.module.css';

/** A wait, announced to screen readers, in the middle of `className`; it needs neither Mantine nor data. */
export function Spinner({ className }: { className: string | undefined }) {
  return (
    <div className={className} role="status" aria-busy="true">
      <span className={styles.ring} aria-hidden="true" />
      <span className="visually-hidden">Caricamento in corso…</span>
    </div>
  );
}
