import { Link } from 'react-router';
import { provider } from '#provider';
import styles from './login.module.css';
import { pageMeta } from './meta.ts';

export function meta() {
  return pageMeta({
    path: '/login',
    title: 'Accedi',
    description: `Accedi all’area riservata di ${provider.name}: progetti, squadra, trasferte e fatture.`,
  });
}

/** The login screen (spec §2). It does not load Mantine: fields and buttons come from `client/ui`. */
export default function Login() {
  return (
    <div className={styles.page}>
      <div className={styles.panel}>
        <h1 className={styles.title}>Bentornato in {provider.name}</h1>
        <p className={styles.lead}>Progetti, squadra, trasferte e fatture: tutto dove l’avevi lasciato.</p>
      </div>
      <aside className={styles.aside} aria-label="Assistenza">
        <p className={styles.asideTitle}>La strada più corta fra il cantiere e il letto.</p>
        <svg className={styles.route} viewBox="0 0 480 300" aria-hidden="true">
          <path
            className={styles.road}
            d="M30 60H300C380 60 380 170 300 170H210C140 170 140 262 210 262H396"
          />
          <path
            className={styles.dashes}
            d="M30 60H300C380 60 380 170 300 170H210C140 170 140 262 210 262H396"
          />
          <circle className={styles.from} cx="30" cy="60" r="22" />
          <path
            className={styles.bed}
            d="M424 212V284M424 258H496V284M496 258V248C496 238 490 232 480 232H446"
          />
        </svg>
        <p className={styles.asideText}>
          Problemi di accesso? <Link to="/contacts">Scrivici</Link>: l’assistenza è umana, 24/7.
        </p>
      </aside>
    </div>
  );
}
