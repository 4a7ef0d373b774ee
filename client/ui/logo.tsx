import { provider } from '#provider';
import styles from './logo.module.css';

/**
 * The mark: a road that leaves a point, turns under the crossbar of a T and arrives. Drawn on a 32-unit grid; the same
 * drawing is the favicon (`site/public/favicon.svg`).
 */
export function LogoMark({ size = 32 }: { size?: number }) {
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect className={styles.tile} width="32" height="32" rx="7" />
      <path className={styles.road} d="M13.5 9.5H25M13.5 9.5c2.6 0 4.4 1.9 4.4 4.6V25" />
      <circle className={styles.from} cx="8" cy="9.5" r="3" />
    </svg>
  );
}

/** Mark and name side by side. The name is text, in the heading face. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <span className={styles.logo}>
      <LogoMark size={size} />
      <span className={styles.name}>{provider.name}</span>
    </span>
  );
}
