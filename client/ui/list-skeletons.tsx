import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './list-skeletons.module.css';
import { Skeleton } from './skeleton.tsx';
import { StatTile, StatTiles } from './stat-tile.tsx';

/**
 * A skeleton that pulses as a whole: one compositing layer instead of one per bar.
 * @param label read out by screen readers while it is shown; null where another part of the page says so
 */
export function Waiting({
  label = 'Caricamento…',
  children,
}: {
  label?: string | null | undefined;
  children: ReactNode;
}) {
  return (
    <div role={label === null ? undefined : 'status'}>
      {label !== null && <span className="visually-hidden">{label}</span>}
      {/* Only the bars are busy: what is said in a busy region waits until it no longer is. */}
      <div aria-hidden="true" aria-busy="true" className={styles.pulse}>
        {children}
      </div>
    </div>
  );
}

/** The shape of a loading table, or of cards where a table would not fit. */
export function RowsSkeleton({ rows = 5, label }: { rows?: number; label?: string | null }) {
  return (
    <Waiting label={label}>
      <div className={styles.rows}>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other identity
          <div key={row} className={styles.row}>
            <Skeleton height={14} width={`${55 + ((row * 17) % 40)}%`} />
            <Skeleton height={14} width="60%" />
            <Skeleton height={14} width="60%" />
            <div className={styles.inCard}>
              <Skeleton height={14} width="70%" />
              <Skeleton height={14} width="45%" />
              <Skeleton height={36} width="9rem" />
            </div>
          </div>
        ))}
      </div>
    </Waiting>
  );
}

/** The shape of a loading grid of cards. `height` in pixels. */
export function CardsSkeleton({
  cards = 3,
  height = 160,
  label,
}: {
  cards?: number;
  height?: number;
  label?: string;
}) {
  return (
    <Waiting label={label}>
      <div className={styles.cards}>
        {Array.from({ length: cards }, (_, card) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cards without content have no other identity
          <div key={card} className={styles.card} style={{ minHeight: height }}>
            <Skeleton height={18} width={`${35 + ((card * 13) % 30)}%`} />
            <Skeleton height={14} width="40%" />
            <Skeleton height={8} margin="var(--space-4) 0 0" />
            <Skeleton height={72} margin="var(--space-4) 0 0" />
            <Skeleton height={36} margin="auto 0 0" />
          </div>
        ))}
      </div>
    </Waiting>
  );
}

/** Bars that are as long, and on as many lines, as `words`. */
const barsOf = (words: string) => <span className={styles.words}>{words}</span>;

/**
 * The shape of a row of `StatTile`s while their figures load: as high as them, because their words, which are known, wrap
 * where theirs do.
 */
export function TilesSkeleton({
  tiles,
  label,
}: {
  tiles: readonly { label: string; icon: Icon; hint?: string }[];
  label: string;
}) {
  return (
    <Waiting label={label}>
      <StatTiles>
        {tiles.map(({ label: name, icon, hint }) => (
          <StatTile
            key={name}
            icon={icon}
            label={barsOf(name)}
            value={barsOf('00')}
            hint={hint && barsOf(hint)}
          />
        ))}
      </StatTiles>
    </Waiting>
  );
}
