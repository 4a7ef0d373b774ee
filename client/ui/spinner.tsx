import styles from './spinner.module.css';

/** A loading indicator, announced to screen readers, centred in `className`; it needs neither Mantine nor data. */
export function Spinner({ className }: { className: string | undefined }) {
  return (
    <div className={className} role="status">
      <span className={styles.ring} aria-busy="true" aria-hidden="true" />
      <span className="visually-hidden">Caricamento in corso…</span>
    </div>
  );
}
