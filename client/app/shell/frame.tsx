import { ActionIcon, Drawer, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconLayoutSidebar, IconMenu2 } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import type { Me } from '#contract/accounts.ts';
import styles from './frame.module.css';
import { OfflineBanner } from './offline-banner.tsx';
import { Sidebar } from './sidebar.tsx';
import { useSidebar } from './sidebar-state.ts';
import { UserMenu } from './user-menu.tsx';

/** From here on the side menu stands beside the page; below it is a drawer (spec §2, §9). */
const BESIDE = '(min-width: 48em)';

/** After a change of page the focus is on its title, so that a screen reader says where one has arrived. */
function useFocusOnArrival() {
  const { pathname } = useLocation();
  const arrived = useRef(pathname);
  useEffect(() => {
    if (arrived.current === pathname) return;
    arrived.current = pathname;
    const target = document.querySelector<HTMLElement>('[data-page-title]') ?? document.querySelector('main');
    target?.focus({ preventScroll: true });
  }, [pathname]);
}

/** Side menu, top bar and content of the application (spec §2, Shell). Ctrl or Cmd plus b toggles the menu. */
export function Frame({ me, children }: { me: Me; children: ReactNode }) {
  const beside = useMediaQuery(BESIDE, undefined, { getInitialValueInEffect: false });
  const { collapsed, toggle } = useSidebar();
  const [drawerOpen, drawer] = useDisclosure(false);
  useHotkeys([['mod+B', beside ? toggle : drawer.toggle]], []);
  useFocusOnArrival();

  return (
    <div className={styles.frame} data-collapsed={collapsed}>
      <a className={styles.skip} href="#contenuto">
        Vai al contenuto
      </a>
      {beside ? (
        <div className={styles.beside}>
          <Sidebar me={me} collapsed={collapsed} />
        </div>
      ) : (
        <Drawer
          opened={drawerOpen}
          onClose={drawer.close}
          size="18rem"
          title={<VisuallyHidden>Menu</VisuallyHidden>}
          classNames={{ body: styles.drawerBody, header: styles.drawerHeader, content: styles.drawer }}
        >
          <Sidebar me={me} onNavigate={drawer.close} />
        </Drawer>
      )}
      <div className={styles.column}>
        <header className={styles.bar}>
          <ActionIcon
            size={44}
            aria-label={beside ? (collapsed ? 'Espandi il menu' : 'Riduci il menu') : 'Apri il menu'}
            aria-expanded={beside ? !collapsed : drawerOpen}
            aria-keyshortcuts="Control+B Meta+B"
            onClick={beside ? toggle : drawer.toggle}
          >
            {beside ? (
              <IconLayoutSidebar size={22} stroke={1.75} aria-hidden="true" />
            ) : (
              <IconMenu2 size={24} stroke={1.75} aria-hidden="true" />
            )}
          </ActionIcon>
          <div className={styles.spring} />
          <UserMenu me={me} />
        </header>
        <OfflineBanner />
        <main id="contenuto" className={styles.content} tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  );
}
