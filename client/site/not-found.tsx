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

/** Any unknown address (spec §2). The server logs the path. */
export default function NotFound() {
  return (
    <section className={styles.page}>
      <svg className={styles.scene} viewBox="0 0 640 220" aria-hidden="true">
        <path className={styles.road} d="M0 170H250C330 170 330 70 250 70H190" />
        <path className={styles.dashes} d="M0 170H250C330 170 330 70 250 70H190" />
        <path className={styles.barrier} d="M146 40V100" />
        <path className={styles.line} d="M170 100V118M170 22V40" />
        <path className={styles.ghost} d="M400 170H640" />
        <circle className={styles.dot} cx="420" cy="170" r="12" />
      </svg>
      <h1 className={styles.title}>Oops! Page not found</h1>
      <p className={styles.text}>
        Questa strada non porta da nessuna parte: l’indirizzo è sbagliato oppure la pagina è stata spostata.
      </p>
      <ButtonLink to="/">Torna alla home</ButtonLink>
    </section>
  );
}
