import type { ReactNode } from 'react';
import styles from './page-head.module.css';

/** The first screen of an inner page: what it is about, and what to do about it. */
export function PageHead({
  title,
  lead,
  scene,
  children,
}: {
  title: string;
  lead: ReactNode;
  /** A drawing from `scenes/`, decorative, with its proportions so that nothing moves when it arrives. */
  scene?: { src: string; width: number; height: number };
  children?: ReactNode;
}) {
  return (
    <div className={styles.head}>
      <div className={scene ? `${styles.inner} ${styles.withScene}` : styles.inner}>
        <div className={styles.text}>
          <h1 className={styles.title}>{title}</h1>
          <p className={styles.lead}>{lead}</p>
          {children && <div className={styles.actions}>{children}</div>}
        </div>
        {scene && <img className={styles.scene} {...scene} alt="" />}
      </div>
    </div>
  );
}
