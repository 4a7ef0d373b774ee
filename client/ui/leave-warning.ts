import { createContext, use, useCallback, useLayoutEffect, useState } from 'react';

/** What somebody is told who is about to leave something unsaved behind. */
export type LeaveWarning = { title: string; words: string };

/** Shows the warnings of the forms inside it before it is left: a dialog, or the page where there is none. */
export type WarningHost = {
  /** @returns what takes the warning away again */
  add: (warning: LeaveWarning) => () => void;
  /** Closes the dialog without asking; null where it is the page. */
  close: (() => void) | null;
};

export const WarningHostContext = createContext<WarningHost | null>(null);

/** Has the dialog or page around it ask before it is left; null while there is nothing to lose. */
export function useLeaveWarning(warning: LeaveWarning | null): void {
  const add = use(WarningHostContext)?.add;
  // With the letter, and not in a frame after it: the next press may be the way back.
  useLayoutEffect(() => (add && warning ? add(warning) : undefined), [add, warning]);
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
