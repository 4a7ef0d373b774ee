import { provider } from '#provider';
import styles from './logo.module.css';

/**
 * The mark: a road that leaves one point and joins another under the crossbar of a T. Drawn on a 32-unit grid; the same
 * drawing is `site/public/favicon.svg`, from which `npm run brand` makes the other icons.
 */
export function LogoMark({ size = 32 }: { size?: number }) {
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect className={styles.tile} width="32" height="32" rx="7" />
      <path className={styles.road} d="M9 9.5h16.6M9 9.5h3a5 5 0 0 1 5 5v11M25.6 9.5H22a5 5 0 0 0-5 5" />
      <circle className={styles.from} cx="7.4" cy="9.5" r="4.2" />
    </svg>
  );
}

/** Mark and name side by side. The name is text, in the heading font. */
export function Logo({ size = 36 }: { size?: number }) {
  return (
    <span className={styles.logo}>
      <LogoMark size={size} />
      <span className={styles.name}>{provider.name}</span>
    </span>
  );
}
