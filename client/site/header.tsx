import { IconMenu2, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link, NavLink, useLocation, useMatch } from 'react-router';
import { ButtonLink } from '#client/ui/button.tsx';
import { Logo } from '#client/ui/logo.tsx';
import { provider } from '#provider';
import styles from './header.module.css';
import { siteLinks } from './links.ts';

// Invoker commands open and close the dialog without JavaScript; React's types do not know these attributes yet.
const opensMenu = { command: 'show-modal', commandfor: 'menu' };
const closesMenu = { command: 'close', commandfor: 'menu' };
const hasInvokers = () => 'commandForElement' in HTMLButtonElement.prototype;

/**
 * The header of every public page (spec §2). Below 768 px the links are in a modal dialog, where the browser traps the
 * focus and Esc closes it.
 */
export function Header() {
  const { pathname } = useLocation();
  const menu = useRef<HTMLDialogElement>(null);
  const onLogin = useMatch('/login') !== null;

  // When the page is left, not on the first run: the menu may have been opened before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of page that matters.
  useEffect(() => () => menu.current?.close(), [pathname]);
  useEffect(() => {
    // A wider window shows the links in the bar again.
    const wide = matchMedia('(min-width: 48em)');
    const close = () => menu.current?.close();
    wide.addEventListener('change', close);
    return () => wide.removeEventListener('change', close);
  }, []);

  return (
    <header className={styles.header}>
      <a className={styles.skip} href="#contenuto">
        Vai al contenuto
      </a>
      <div className={styles.bar}>
        <Link to="/" className={styles.home} aria-label={`${provider.name}, pagina iniziale`}>
          <Logo />
        </Link>
        <nav className={styles.links} aria-label="Principale">
          {siteLinks.map(({ to, label }) => (
            <NavLink key={to} to={to} end={to === '/'} data-prefetch="" className={styles.link}>
              {label}
            </NavLink>
          ))}
        </nav>
        <div className={styles.actions}>
          {!onLogin && (
            <ButtonLink to="/login" variant="outline" size="small">
              Accedi
            </ButtonLink>
          )}
          <button
            type="button"
            className={styles.toggle}
            aria-label="Apri il menu"
            aria-haspopup="dialog"
            {...opensMenu}
            onClick={() => {
              if (!hasInvokers()) menu.current?.showModal();
            }}
          >
            <IconMenu2 size={26} stroke={1.75} aria-hidden="true" />
          </button>
        </div>
      </div>
      <dialog id="menu" ref={menu} className={styles.menu} aria-label="Menu">
        <div className={styles.menuBar}>
          <Logo />
          <button
            type="button"
            className={styles.toggle}
            aria-label="Chiudi il menu"
            {...closesMenu}
            onClick={() => {
              if (!hasInvokers()) menu.current?.close();
            }}
          >
            <IconX size={26} stroke={1.75} aria-hidden="true" />
          </button>
        </div>
        <nav className={styles.menuLinks} aria-label="Menu principale">
          {siteLinks.map(({ to, label }) => (
            <NavLink
              key={to}
              to={to}
              end={to === '/'}
              className={styles.menuLink}
              onClick={() => menu.current?.close()}
            >
              {label}
            </NavLink>
          ))}
        </nav>
        <div className={styles.menuAction}>
          {!onLogin && (
            <ButtonLink to="/login" variant="onPetrol">
              Accedi
            </ButtonLink>
          )}
          <ButtonLink to="/contacts" onClick={() => menu.current?.close()}>
            Richiedi una trasferta
          </ButtonLink>
        </div>
      </dialog>
    </header>
  );
}
