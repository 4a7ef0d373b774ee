import { Kbd, UnstyledButton } from '@mantine/core';
import { getHotkeyHandler, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { memo, useEffect, useState } from 'react';
import { isCovered } from '#client/ui/cover.ts';
import { late } from '#client/ui/late.tsx';
import { useFocusBack } from '#client/ui/opener.ts';
import type { Me } from '#contract/accounts.ts';
import styles from './search.module.css';
import { keepTyped } from './typed-ahead.ts';

const Palette = late(() => import('./palette.tsx'));

const HOTKEY = 'mod+K';

/** Whether the palette was asked for while the frame was still to come. */
let asked = false;

const ask = getHotkeyHandler([
  [
    HOTKEY,
    () => {
      asked = true;
    },
  ],
]);

// As soon as its code is there: who is signed in, and the first page, may take a while. The build evaluates it, too.
if (!import.meta.env.SSR) addEventListener('keydown', ask);

/** For once it is known whether there is a frame, which then listens itself. */
export function stopAsking(): void {
  removeEventListener('keydown', ask);
  asked = false;
}

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/**
 * The button of the top bar that opens the command palette, as Ctrl or Cmd plus k does. A component of its own, so that
 * opening the palette does not render the frame.
 */
export const Search = memo(function Search({ me }: { me: Me }) {
  /** Undefined until the palette's first use, which loads its code. */
  const [opened, setOpened] = useState<boolean | undefined>(() => asked || undefined);
  const search = () => setOpened(true);
  const close = () => setOpened(false);
  // It leads to other pages and would leave an open dialog without asking.
  const onHotkey = () => {
    if (isCovered()) return;
    // While the palette is loading, keys must not act on the page: Enter would submit a form.
    (document.activeElement as HTMLElement).blur();
    search();
  };
  useHotkeys([[HOTKEY, onHotkey]], []);
  useEffect(() => (opened ? keepTyped(() => setOpened(false)) : undefined), [opened]);
  useFocusBack(opened === true);

  return (
    <>
      {/* Marked as open at once, also when opened by key, because the palette may still be loading. */}
      <UnstyledButton
        className={styles.button}
        onClick={search}
        aria-haspopup="dialog"
        aria-expanded={opened === true}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={20} stroke={1.75} aria-hidden="true" />
        <span className={styles.word}>Cerca</span>
        <Kbd size="xs" className={styles.keys}>
          {IS_APPLE ? '⌘' : 'Ctrl'} K
        </Kbd>
      </UnstyledButton>
      {opened !== undefined && (
        <Palette wanted={opened} onMissing={close} me={me} opened={opened} onClose={close} />
      )}
    </>
  );
});
