import { useEffect } from 'react';
import { Spinner } from '#client/ui/spinner.tsx';
import { provider } from '#provider';
import styles from './first-view.module.css';

/** The head of Home (spec §2). */
export const HOME = {
  title: 'Home',
  intro: 'Bentornato! Ecco una panoramica della gestione delle tue trasferte.',
} as const;

/** The spinner in place of Home's figures. */
export function FiguresSpinner() {
  return <Spinner className={styles.wait} />;
}

/**
 * Shown until the application runs and knows who is signed in (spec §2): a spinner. If somebody with a session opens
 * Home, `scripts/postbuild.ts` has marked the document, and the spinner is shown in that page's frame, below its title.
 * Both variants are in every document, so that React hydrates what the build wrote; the style sheet shows one of them.
 */
export function FirstView() {
  useEffect(() => {
    // The text font has `font-display: optional`: if it is not loaded at its first use, the page does not use it at
    // all.
    const families = getComputedStyle(document.body).fontFamily;
    document.fonts.load(`1rem ${families}`).catch(() => {});
  }, []);
  return (
    <>
      <div className={styles.elsewhere}>
        <title>{provider.name}</title>
        <Spinner className={styles.screen} />
      </div>
      <div className={styles.home}>
        <div className={styles.bar} />
        <main className={styles.content}>
          <header className={styles.head}>
            <h1 className={styles.title}>{HOME.title}</h1>
            <p className={styles.intro}>{HOME.intro}</p>
          </header>
          <div className={styles.below}>
            <FiguresSpinner />
          </div>
        </main>
      </div>
    </>
  );
}

/** Ends the first view. Later waits, such as after a logout, show only the spinner. */
export function endFirstView(): void {
  delete document.documentElement.dataset.firstView;
}
