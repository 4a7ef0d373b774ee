import { Loader } from '@mantine/core';
import styles from './spinner.module.css';

/** A wait within a page, announced to screen readers. */
export function Spinner({ label = 'Caricamento in corso…' }: { label?: string }) {
  return (
    <div className={styles.spinner} role="status">
      <Loader aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </div>
  );
}
