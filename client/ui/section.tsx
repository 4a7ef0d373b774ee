import { Title } from '@mantine/core';
import { createContext, type ReactNode, type Ref, useId } from 'react';
import styles from './section.module.css';

/** The headings of what is around: those below the title of the page, or of a section. */
export const HeadingBelow = createContext<'h2' | 'h3'>('h2');

/**
 * A titled part of a page: a landmark labelled by its h2, with actions for the whole part on the right.
 * @param hidden while it waits for what is above it, whose height is not known yet
 */
export function Section({
  title,
  intro,
  actions,
  hidden = false,
  children,
  ref,
}: {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  hidden?: boolean;
  children: ReactNode;
  ref?: Ref<HTMLElement>;
}) {
  const id = useId();
  return (
    <section ref={ref} aria-labelledby={id} className={styles.section} hidden={hidden}>
      <div className={styles.head}>
        <div className={styles.words}>
          <Title order={2} size="h3" id={id}>
            {title}
          </Title>
          {intro && <div className={styles.intro}>{intro}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      <HeadingBelow value="h3">{children}</HeadingBelow>
    </section>
  );
}
