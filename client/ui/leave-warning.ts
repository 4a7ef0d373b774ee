import { createContext, use, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { isLeaving } from '#client/lib/session.ts';

/** The warning before leaving unsaved input; `leave` is the label of the button that confirms. */
export type LeaveWarning = { title: string; words: string; leave: string };

/** What shows the warnings of the forms inside it before it is left: a dialog, or otherwise the page. */
export type WarningHost = {
  /** @returns removes the warning */
  add: (warning: LeaveWarning) => () => void;
  /** Keeps the dialog open; does not prevent leaving the page. @returns releases it */
  hold: () => () => void;
  /**
   * For a question open above the dialog: Esc and the back button call `close` instead of closing the dialog. Null for
   * the page.
   * @returns unregisters the question
   */
  ask: ((close: () => void) => () => void) | null;
  /** Closes the dialog without asking; null for the page. */
  close: (() => void) | null;
};

/** The dialog or page around a form. */
export const WarningHostContext = createContext<WarningHost | null>(null);

let confirmed = false;

/**
 * Records whether a user who confirmed the warning is leaving the page. If the target is another document, the browser
 * must not ask again.
 */
export function noteConfirmedLeaving(leaving: boolean): void {
  confirmed = leaving;
}

/**
 * Makes the surrounding dialog or page ask before it is left, and the browser before the tab is closed or reloaded;
 * null when there is nothing to lose.
 */
export function useLeaveWarning(warning: LeaveWarning | null): void {
  const add = use(WarningHostContext)?.add;
  // A layout effect, so that the warning is active at once: the next key press may be the back button.
  useLayoutEffect(() => {
    if (!add || !warning) return;
    const remove = add(warning);
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!confirmed && !isLeaving()) event.preventDefault();
    };
    // Only while there is something to lose, because this listener can exclude the page from the back/forward cache.
    addEventListener('beforeunload', onUnload);
    return () => {
      remove();
      removeEventListener('beforeunload', onUnload);
    };
  }, [add, warning]);
}

/** Keeps the surrounding dialog open while `sending`, so that the user sees the result. */
export function useKeepOpen(sending: boolean): void {
  const hold = use(WarningHostContext)?.hold;
  useLayoutEffect(() => (sending ? hold?.() : undefined), [sending, hold]);
}

/**
 * While `open`, Esc and the back button close a question inside a dialog instead of the dialog itself.
 * @returns whether the surrounding dialog handles Esc. The question then must not: the dialog, receiving the key
 *   second, could no longer tell that there was a question
 */
export function useQuestionAbove(open: boolean, close: () => void): boolean {
  const ask = use(WarningHostContext)?.ask;
  const latest = useRef(close);
  latest.current = close;
  useLayoutEffect(() => (open ? ask?.(() => latest.current()) : undefined), [open, ask]);
  return Boolean(ask);
}

/** For a host: the first of its warnings, and a function that adds one. */
export function useLeaveWarnings(): [warning: LeaveWarning | null, add: WarningHost['add']] {
  const [entries, setEntries] = useState<readonly { warning: LeaveWarning }[]>([]);
  const add = useCallback((warning: LeaveWarning) => {
    const entry = { warning };
    setEntries((others) => [...others, entry]);
    return () => setEntries((others) => others.filter((other) => other !== entry));
  }, []);
  return [entries[0]?.warning ?? null, add];
}
