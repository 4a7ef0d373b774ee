import { IconArrowRight } from '@tabler/icons-react';
import { ButtonLink } from '#client/ui/button.tsx';
import styles from './closing.module.css';

/** The closing call to action: one question, one button to /contacts. */
export function Closing({ title, text }: { title: string; text: string }) {
  return (
    <section className={styles.band}>
      <div className={styles.inner}>
        <div>
          <h2 className={styles.title}>{title}</h2>
          <p className={styles.text}>{text}</p>
        </div>
        <ButtonLink to="/contacts">
          Richiedi una trasferta <IconArrowRight size={20} stroke={2} aria-hidden="true" />
        </ButtonLink>
      </div>
      <div className={styles.road} aria-hidden="true" />
    </section>
  );
}
