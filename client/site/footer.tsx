import { Link, useMatch } from 'react-router';
import { Logo } from '#client/ui/logo.tsx';
import { provider } from '#provider';
import styles from './footer.module.css';
import { siteLinks } from './links.ts';

const legalLinks = [
  { to: '/privacy', label: 'Privacy' },
  { to: '/cookies', label: 'Cookie' },
  { to: '/accessibility', label: 'Accessibilità' },
] as const;

/** The footer of every public page: copyright line and Milan address (spec §2), and links to every page. */
export function Footer() {
  const { street, postalCode, city } = provider.address;
  const onLogin = useMatch('/login') !== null;
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.brand}>
          <Logo />
          <p className={styles.tagline}>{provider.tagline}.</p>
        </div>
        <nav className={styles.column} aria-label="Pagine">
          {(onLogin ? siteLinks : [...siteLinks, { to: '/login', label: 'Accedi' }]).map(({ to, label }) => (
            <Link key={to} to={to} className={styles.link}>
              {label}
            </Link>
          ))}
        </nav>
        <nav className={styles.column} aria-label="Note legali">
          {legalLinks.map(({ to, label }) => (
            <Link key={to} to={to} className={styles.link}>
              {label}
            </Link>
          ))}
        </nav>
        <address className={styles.address}>
          <span>{provider.legalName}</span>
          <span>{street}</span>
          <span>
            {postalCode} {city}
          </span>
          <a className={styles.link} href={`mailto:${provider.contactEmail}`}>
            {provider.contactEmail}
          </a>
        </address>
        <p className={styles.copyright}>
          © {provider.copyrightYear} {provider.legalName} Tutti i diritti riservati.
        </p>
      </div>
    </footer>
  );
}
