import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import styles from './panel.module.css';

/** A framed part of an overview, labelled by its h2; `aside` is at the end of the title's line. */
export function Panel({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.panel}>
      <div className={styles.head}>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {aside && <div className={styles.aside}>{aside}</div>}
      </div>
      {children}
    </section>
  );
}
