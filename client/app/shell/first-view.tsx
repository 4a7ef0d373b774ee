import { useEffect } from 'react';
import { Spinner } from '#client/ui/spinner.tsx';
import { provider } from '#provider';
import styles from './first-view.module.css';

/** The head of Home (spec §2). */
export const HOME = {
  title: 'Home',
  intro: 'Bentornato! Ecco una panoramica della gestione delle tue trasferte.',
} as const;

/** The spinner of Home, where its figures will be. */
export function FiguresToCome() {
  return <Spinner className={styles.wait} />;
}

/**
 * What stands on the screen until the application runs and knows who is signed in (spec §2): a spinner. Where somebody with a
 * session opens Home, `scripts/postbuild.ts` has marked the document, and the spinner stands in that page's frame, under its
 * title. Both are in every document, so that React finds what the build wrote; the style sheet shows one of them.
 */
export function FirstView() {
  useEffect(() => {
    // The text face is `optional`: not there at its first use, it is given up for as long as the page is open.
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
            <FiguresToCome />
          </div>
        </main>
      </div>
    </>
  );
}

/** After the first view comes the page itself: whoever waits again, such as after a logout, sees the spinner alone. */
export function endFirstView(): void {
  delete document.documentElement.dataset.firstView;
}
