import { createContext, use, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { isLeaving } from '#client/lib/session.ts';

/** What somebody is told who is about to leave something unsaved behind; `leave` is what the button says that does so. */
export type LeaveWarning = { title: string; words: string; leave: string };

/** Shows the warnings of the forms inside it before it is left: a dialog, or the page where there is none. */
export type WarningHost = {
  /** @returns what takes the warning away again */
  add: (warning: LeaveWarning) => () => void;
  /**
   * Keeps the dialog open. The page is left all the same.
   * @returns what lets it be closed again
   */
  hold: () => () => void;
  /**
   * For a question that is open above the dialog: Esc and the way back call `close` in place of closing the dialog. Null where
   * it is the page.
   * @returns what forgets the question
   */
  ask: ((close: () => void) => () => void) | null;
  /** Closes the dialog without asking; null where it is the page. */
  close: (() => void) | null;
};

/** The dialog or page around a form. */
export const WarningHostContext = createContext<WarningHost | null>(null);

let confirmed = false;

/** Takes note of whether somebody who was warned is on the way to another page: should it be another document, the browser does not ask again. */
export function noteConfirmedLeaving(leaving: boolean): void {
  confirmed = leaving;
}

/**
 * Has the dialog or page around it ask before it is left, and the browser before the tab is closed or loaded again; null while
 * there is nothing to lose.
 */
export function useLeaveWarning(warning: LeaveWarning | null): void {
  const add = use(WarningHostContext)?.add;
  // With the letter, and not in a frame after it: the next press may be the way back.
  useLayoutEffect(() => {
    if (!add || !warning) return;
    const remove = add(warning);
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!confirmed && !isLeaving()) event.preventDefault();
    };
    // Only while there is something to lose: with it a browser may not keep the page for the way back.
    addEventListener('beforeunload', onUnload);
    return () => {
      remove();
      removeEventListener('beforeunload', onUnload);
    };
  }, [add, warning]);
}

/** Keeps the dialog around it open while something is `sending`: whoever closed it would not hear how that ended. */
export function useHeldOpen(sending: boolean): void {
  const hold = use(WarningHostContext)?.hold;
  useLayoutEffect(() => (sending ? hold?.() : undefined), [sending, hold]);
}

/**
 * While it is `open`, a question inside a dialog is what Esc and the way back close, and not the dialog below it.
 * @returns whether the dialog around it closes it at Esc, so that it must not do so itself: who is second to hear the key could
 * no longer tell that there was a question
 */
export function useQuestionAbove(open: boolean, close: () => void): boolean {
  const ask = use(WarningHostContext)?.ask;
  const latest = useRef(close);
  latest.current = close;
  useLayoutEffect(() => (open ? ask?.(() => latest.current()) : undefined), [open, ask]);
  return Boolean(ask);
}

/** For a host: the first of the warnings it was given, and what adds one. */
export function useLeaveWarnings(): [warning: LeaveWarning | null, add: WarningHost['add']] {
  const [entries, setEntries] = useState<readonly { warning: LeaveWarning }[]>([]);
  const add = useCallback((warning: LeaveWarning) => {
    const entry = { warning };
    setEntries((others) => [...others, entry]);
    return () => setEntries((others) => others.filter((other) => other !== entry));
  }, []);
  return [entries[0]?.warning ?? null, add];
}
