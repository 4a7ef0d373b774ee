import { useEffect, useState } from 'react';
import { loadInBackground } from '#client/lib/background-code.ts';
import { CROSSING_MS } from '#client/ui/pointed-at.ts';

type TooltipCode = typeof import('./tooltips.tsx');

/** How long a button is pointed at or has the focus before its name appears: whoever presses it at once knows it. */
const RESTING_MS = 400;

type Named = { button: HTMLElement; name: string; opened: boolean };

/** The button with an icon alone that `target` is, or is in. */
function iconButtonAt(target: EventTarget | null): HTMLElement | null {
  const button = target instanceof Element ? target.closest<HTMLElement>('button[aria-label]') : null;
  return button?.textContent?.trim() === '' ? button : null;
}

/** The name of a button, or, of one that does nothing, why. */
function nameOf(button: HTMLElement): string {
  const why = button.dataset.sample && button.getAttribute('aria-describedby');
  return (why && document.getElementById(why)?.textContent) || (button.ariaLabel ?? '');
}

/**
 * Follows the pointer and the focus.
 * @param show called with a button they rest on
 * @param hide called when they leave it, it is pressed, or Esc is
 * @returns stops following
 */
function follow(show: (button: HTMLElement) => void, hide: () => void): () => void {
  /** The button they are on, also once its name is hidden. */
  let at: HTMLElement | null = null;
  /** Whether it is the focus that is there. */
  let byFocus = false;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let leaving: ReturnType<typeof setTimeout> | undefined;
  const come = (button: HTMLElement | null, withFocus = false) => {
    at = button;
    byFocus = withFocus;
    clearTimeout(resting);
    if (button) resting = setTimeout(show, RESTING_MS, button);
  };
  const stop = () => {
    clearTimeout(resting);
    hide();
  };
  const listeners = new AbortController();
  const listen = <Type extends keyof DocumentEventMap>(
    type: Type,
    listener: (event: DocumentEventMap[Type]) => void,
  ) => document.addEventListener(type, listener, { capture: true, signal: listeners.signal });
  listen('pointerover', ({ target, pointerType }) => {
    // Touch does not hover: it is a press already.
    if (pointerType === 'touch') return;
    const button = iconButtonAt(target);
    const isOnName = target instanceof Element && target.closest('[role=tooltip]') !== null;
    if (isOnName || (button && button === at)) {
      clearTimeout(leaving);
      return;
    }
    // The page that scrolls to what gets the focus moves something else below a pointer that rests.
    if (!button && byFocus) return;
    if (at) leaving = setTimeout(hide, CROSSING_MS);
    come(button);
  });
  listen('pointerout', ({ relatedTarget }) => {
    if (relatedTarget || byFocus) return;
    come(null);
    hide();
  });
  listen('focusin', ({ target }) => {
    const button = iconButtonAt(target);
    if (button?.matches(':focus-visible')) come(button, true);
  });
  // What the pointer rests on is not left by it: a dialog takes the focus a moment after it is pointed into.
  listen('focusout', () => {
    if (!byFocus) return;
    byFocus = false;
    stop();
  });
  listen('pointerdown', stop);
  listen('keydown', stop);
  return () => {
    listeners.abort();
    clearTimeout(resting);
    clearTimeout(leaving);
  };
}

/**
 * Shows the name of each button with an icon alone, wherever it is, while a pointer or the keyboard's focus rests on it. One
 * for all, because in a list one for each row would take as long to render as the rows themselves.
 */
export function ButtonNames() {
  const [named, setNamed] = useState<Named | null>(null);
  const [code, setCode] = useState<TooltipCode | null>(null);
  useEffect(
    () =>
      follow(
        (button) => setNamed({ button, name: nameOf(button), opened: true }),
        () => setNamed((now) => (now?.opened ? { ...now, opened: false } : now)),
      ),
    [],
  );
  const wanted = named !== null;
  useEffect(() => {
    // If the tooltip's code cannot be loaded, there is no tooltip, and the page must not reload for it.
    if (wanted) loadInBackground(() => import('./tooltips.tsx')).then(setCode);
  }, [wanted]);
  return (
    named && code && <code.ButtonTooltip label={named.name} target={named.button} opened={named.opened} />
  );
}
