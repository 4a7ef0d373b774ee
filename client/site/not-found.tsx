import { ButtonLink } from '#client/ui/button.tsx';
import { pageMeta } from './meta.ts';
import styles from './not-found.module.css';

export function meta() {
  return [
    ...pageMeta({
      path: '/404',
      title: 'Pagina non trovata',
      description: 'La pagina cercata non esiste.',
    }).filter((tag) => !('rel' in tag && tag.rel === 'canonical')),
    { name: 'robots', content: 'noindex' },
  ];
}

/** The page for unknown paths (spec §2). The server logs the path. */
export default function NotFound() {
  return (
    <section className={styles.page}>
      <svg className={styles.scene} viewBox="0 0 720 150" aria-hidden="true">
        <path className={styles.road} d="M0 84H384" />
        <path className={styles.dashes} d="M10 84H350" />
        <path className={styles.post} d="M420 44V132M404 132H436" />
        <path className={styles.board} d="M420 26V98" />
        <path className={styles.stripes} d="M420 26V98" />
        <path className={styles.ghost} d="M460 84H664" />
        <circle className={styles.dot} cx="690" cy="84" r="13" />
      </svg>
      <h1 className={styles.title} lang="en">
        Oops! Page not found
      </h1>
      <p className={styles.text}>
        Questa strada non porta da nessuna parte: l’indirizzo è sbagliato oppure la pagina è stata spostata.
      </p>
      <ButtonLink to="/">Torna alla Home</ButtonLink>
    </section>
  );
}
