import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconLayoutSidebar, IconMenu2 } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';
import { isCovered } from '#client/ui/cover.ts';
import { IconButton } from '#client/ui/icon-button.tsx';
import { late } from '#client/ui/late.tsx';
import { pageTitle, useOpenerMemory } from '#client/ui/opener.ts';
import type { Me } from '#contract/accounts.ts';
import { ButtonNames } from './button-names.tsx';
import styles from './frame.module.css';
import { OfflineBanner } from './offline-banner.tsx';
import { useOneOfDoubleClick, usePressedMark } from './pressed.ts';
import { Search } from './search.tsx';
import { Sidebar } from './sidebar.tsx';
import { useSidebar } from './sidebar-state.ts';
import { UserMenu } from './user-menu.tsx';

const MenuDrawer = late(() => import('./menu-drawer.tsx'));

/** From this width on the side menu is beside the page; below it is a drawer (spec §2, §9). */
const BESIDE = '(min-width: 48em)';

/** Focuses the title if the page was navigated to while it was not known who is signed in: the root found no title. */
function useFocusOnArrival() {
  const type = useNavigationType();
  const arrives = useRef(type !== 'POP');
  useEffect(() => {
    if (!arrives.current || document.activeElement !== document.body) return;
    pageTitle()?.focus({ preventScroll: true });
  }, []);
}

/**
 * Focuses the button that opens the menu if the window has become so narrow that the menu beside the page went, and with it
 * what had the focus.
 */
function useFocusFromMenu(beside: boolean | undefined) {
  const button = useRef<HTMLButtonElement>(null);
  const within = useRef(false);
  const onFocus = () => {
    within.current = true;
  };
  const onBlur = () => {
    within.current = false;
  };
  useEffect(() => {
    if (beside || !within.current) return;
    within.current = false;
    button.current?.focus({ preventScroll: true });
  }, [beside]);
  return { menu: { onFocus, onBlur }, button };
}

/** Side menu, top bar and content of the application (spec §2, Shell). Ctrl or Cmd plus b toggles the menu. */
export function Frame({ me, children }: { me: Me; children: ReactNode }) {
  const beside = useMediaQuery(BESIDE, undefined, { getInitialValueInEffect: false });
  const { collapsed, toggle } = useSidebar();
  const [drawerOpen, drawer] = useDisclosure(false);
  const toggleMenu = beside ? toggle : drawer.toggle;
  // It leads to other pages and would leave an open dialog without asking.
  useHotkeys([['mod+B', () => (drawerOpen || !isCovered()) && toggleMenu()]], []);
  // Otherwise it would open again by itself once the window becomes narrow.
  useEffect(() => {
    if (beside) drawer.close();
  }, [beside, drawer.close]);
  useFocusOnArrival();
  useOpenerMemory();
  // First, so that what does not count is not marked.
  useOneOfDoubleClick();
  usePressedMark();
  const { menu, button } = useFocusFromMenu(beside);

  return (
    <div className={styles.frame} data-frame data-collapsed={collapsed}>
      <a className={styles.skip} href="#contenuto">
        Vai al contenuto
      </a>
      {beside ? (
        <div className={styles.beside} {...menu}>
          <Sidebar me={me} collapsed={collapsed} />
        </div>
      ) : (
        <MenuDrawer
          wanted={drawerOpen}
          onMissing={drawer.close}
          me={me}
          opened={drawerOpen}
          onClose={drawer.close}
        />
      )}
      <div className={styles.column}>
        <header className={styles.bar}>
          <IconButton
            ref={button}
            size="large"
            // Whether the menu beside the page is wide is said by its state, and not a second time by the name.
            aria-label={beside ? 'Menu laterale' : 'Apri il menu'}
            aria-expanded={beside ? !collapsed : drawerOpen}
            aria-keyshortcuts="Control+B Meta+B"
            onClick={toggleMenu}
          >
            {beside ? (
              <IconLayoutSidebar size={22} stroke={1.75} aria-hidden="true" />
            ) : (
              <IconMenu2 size={24} stroke={1.75} aria-hidden="true" />
            )}
          </IconButton>
          <div className={styles.spring} />
          <Search me={me} />
          <UserMenu me={me} />
        </header>
        <main id="contenuto" className={styles.content} tabIndex={-1}>
          {children}
        </main>
        <OfflineBanner />
      </div>
      <ButtonNames />
    </div>
  );
}
