import type { ReactNode } from 'react';
import { PROJECT_TEXTS } from '#contract/projects.ts';
import styles from './loading-words.module.css';

/** Says over a skeleton what is loading (spec §2). For the eye: the skeleton itself tells it to a screen reader. */
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
