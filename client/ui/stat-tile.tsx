import type { Icon } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { Link } from './link.tsx';
import { SampleBadge } from './sample-badge.tsx';
import styles from './stat-tile.module.css';

/** The length, for the style sheet, which reduces the font size of long figures instead of breaking them. */
function lengthOf(value: ReactNode): CSSProperties | undefined {
  return typeof value === 'string' ? ({ '--length': value.length } as CSSProperties) : undefined;
}

/**
 * A figure with its name; `value` is already formatted, and `hint` explains what it counts. `to` makes the tile a link.
 */
export function StatTile({
  label,
  value,
  hint,
  icon: IconOf,
  tone = 'plain',
  to,
  sample = false,
}: {
  label: ReactNode;
  value: ReactNode;
  hint?: ReactNode;
  icon?: Icon;
  tone?: 'plain' | 'attention';
  to?: string;
  /** The counted records are samples. */
  sample?: boolean;
}) {
  const content = (
    <>
      <dt className={styles.label}>
        {IconOf && <IconOf size={18} stroke={1.75} aria-hidden="true" />}
        {to ? (
          <Link to={to} className={styles.link}>
            {label}
          </Link>
        ) : (
          label
        )}
      </dt>
      <dd className={styles.value}>
        <span className={styles.figure} style={lengthOf(value)}>
          {value}
        </span>
      </dd>
      {hint && <dd className={styles.hint}>{hint}</dd>}
      {sample && (
        <dd className={styles.sample}>
          <SampleBadge />
        </dd>
      )}
    </>
  );
  return (
    <div className={`${styles.tile} ${styles.spanning} ${tone === 'attention' ? styles.attention : ''}`}>
      {content}
    </div>
  );
}

/** A row of `StatTile`s. */
export function StatTiles({ children }: { children: ReactNode }) {
  return <dl className={styles.tiles}>{children}</dl>;
}
