import type { ReactNode } from 'react';
import { PROJECT_TEXTS } from '#contract/projects.ts';
import styles from './loading-words.module.css';

/** A visible loading text over a skeleton (spec §2); the skeleton itself announces it to screen readers. */
export function LoadingWords({ centred, children }: { centred?: boolean; children: ReactNode }) {
  return (
    <div className={styles.loading}>
      <p className={styles.words} data-centred={centred || undefined} aria-hidden="true">
        {PROJECT_TEXTS.loading}
      </p>
      {children}
    </div>
  );
}
