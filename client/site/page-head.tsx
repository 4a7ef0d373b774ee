import type { ReactNode } from 'react';
import styles from './page-head.module.css';

/** The top of an inner page: title, lead and call to action. */
export function PageHead({
  title,
  lead,
  aside,
  children,
}: {
  title: string;
  lead: ReactNode;
  /** Shown beside the text: an illustration or an example. */
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
