import { memo, type ReactElement, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { loadInBackground } from '#client/lib/background-code.ts';
import { landingOf } from '#client/lib/session.ts';
import { Link } from '#client/ui/link.tsx';
import { Logo, LogoMark } from '#client/ui/logo.tsx';
import { usePointedAt } from '#client/ui/pointed-at.ts';
import type { Me } from '#contract/accounts.ts';
import { provider } from '#provider';
import { isActive, menuOf } from './menu.ts';
import styles from './sidebar.module.css';

type TooltipCode = typeof import('./tooltips.tsx');

/** A menu entry; in icon mode its name appears beside it on hover and focus. */
function Named({ by, shown, children }: { by: string; shown: boolean; children: ReactElement }) {
  const { pointedAt, target, listeners } = usePointedAt<HTMLLIElement>();
  const wanted = shown && pointedAt !== null;
  const [code, setCode] = useState<TooltipCode | null>(null);
  useEffect(() => {
    // If the tooltip's code cannot be loaded, there is no tooltip, and the page must not reload for it.
    if (wanted) loadInBackground(() => import('./tooltips.tsx')).then(setCode);
  }, [wanted]);
  return (
    <li ref={target} {...listeners}>
      {children}
      {wanted && code && <code.MenuTooltip label={by} target={target} opened={pointedAt} />}
    </li>
  );
}

/**
 * Logo and side menu of an account. In icon mode the names stay available to screen readers and appear as tooltips.
 * @param onNavigate called when an entry is followed, so that the drawer can close
 */
export const Sidebar = memo(function Sidebar({
  me,
  collapsed = false,
  onNavigate,
}: {
  me: Me;
  collapsed?: boolean;
  onNavigate?: () => void;
}) {
  const { pathname } = useLocation();
  return (
    <div className={styles.sidebar} data-collapsed={collapsed}>
      <Link
        to={landingOf(me)}
        className={styles.logo}
        aria-label={`${provider.name}, pagina iniziale`}
        onClick={onNavigate}
      >
        {collapsed ? <LogoMark size={28} /> : <Logo size={30} />}
      </Link>
      <nav aria-label="Menu principale">
        <ul className={styles.menu}>
          {menuOf(me.permissions).map((item) => (
            <Named key={item.to} by={item.label} shown={collapsed}>
              <Link
                to={item.to}
                data-prefetch=""
                className={styles.item}
                aria-current={isActive(item, pathname) ? 'page' : undefined}
                onClick={onNavigate}
              >
                <item.icon size={22} stroke={1.75} aria-hidden="true" />
                <span className={collapsed ? 'visually-hidden' : undefined}>{item.label}</span>
              </Link>
            </Named>
          ))}
        </ul>
      </nav>
    </div>
  );
});
