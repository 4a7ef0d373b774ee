import { provider } from '#provider';
import styles from './full-screen-loader.module.css';

/** A full-screen wait, announced to screen readers; it needs neither Mantine nor data. */
export function FullScreenLoader({ label = 'Caricamento in corso…' }: { label?: string }) {
  return (
    <div className={styles.screen} role="status">
      <title>{provider.name}</title>
      <span className={styles.spinner} aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </div>
  );
}
