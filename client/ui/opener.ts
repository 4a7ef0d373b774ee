import { useEffect } from 'react';

let opener: HTMLElement | null = null;

/** Longer than Mantine takes to give the focus back itself, where it knows to whom. */
const AFTER_MANTINE_MS = 50;

/** Remembers what was focused last outside menus and dialogs: what opened whatever opens next. For the frame. */
export function useOpenerMemory(): void {
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && !target.closest('[role=dialog], [role=menu]')) opener = target;
    };
    addEventListener('focusin', remember);
    return () => removeEventListener('focusin', remember);
  }, []);
}

let openDialogs = 0;

/**
 * Takes note that a dialog opened. @returns what notes its end, and gives the focus that is lost with it to what opened it,
 * or to the page where that is gone. Focus that has found another place stays there.
 */
export function noteDialog(): () => void {
  openDialogs += 1;
  const wanted = opener;
  return () => {
    openDialogs -= 1;
    setTimeout(() => {
      const { activeElement } = document;
      const lost = activeElement === document.body || activeElement?.closest('[role=dialog]');
      if (!lost || openDialogs > 0) return;
      const target = wanted?.isConnected ? wanted : document.querySelector('main');
      target?.focus({ preventScroll: true });
    }, AFTER_MANTINE_MS);
  };
}
