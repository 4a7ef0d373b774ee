import type { ReactNode } from 'react';
import styles from './page-head.module.css';

/** The first screen of an inner page: what it is about, and what to do about it. */
export function PageHead({
  title,
  lead,
  aside,
  children,
}: {
  title: string;
  lead: ReactNode;
  /** What stands beside the text: a drawing, an example. */
  aside?: ReactNode;
  /** Buttons. */
  children?: ReactNode;
}) {
  return (
    <div className={styles.head}>
      <div className={aside ? `${styles.inner} ${styles.withAside}` : `${styles.inner} ${styles.textOnly}`}>
        <div className={styles.text}>
          <h1 className={styles.title}>{title}</h1>
          <p className={styles.lead}>{lead}</p>
          {children && <div className={styles.actions}>{children}</div>}
        </div>
        {aside}
      </div>
    </div>
  );
}
