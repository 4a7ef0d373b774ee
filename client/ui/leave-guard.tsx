import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { isLeaving } from '#client/lib/session.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import {
  type LeaveWarning,
  noteConfirmedLeaving,
  useLeaveWarnings,
  WarningHostContext,
} from './leave-warning.ts';

type Back = () => void;

/** Takes note of what the way back does instead of leaving the page. Returns what forgets it. */
const WayBack = createContext<((back: Back) => () => void) | null>(null);

/** While it is there, the way back of the browser, or of a phone, does this instead of leaving the page. */
export function useWayBack(back: Back): void {
  const add = use(WayBack);
  const latest = useRef(back);
  latest.current = back;
  useEffect(() => add?.(() => latest.current()), [add]);
}

/**
 * The router knows one blocker at a time, and warns of jumps within a page while there is one: it is there when needed.
 * @param onBlocked whether a navigation waits, which it does not outlive
 */
function NavigationBlocker({
  warning,
  back,
  onBlocked,
}: {
  warning: LeaveWarning | null;
  back: Back | undefined;
  onBlocked: (blocked: boolean) => void;
}) {
  const goesBack = useRef(false);
  const proceeding = useRef(false);
  const blocker = useBlocker(({ historyAction, currentLocation, nextLocation }) => {
    // Nothing holds up whoever logs out.
    if (isLeaving()) return false;
    goesBack.current = back !== undefined && historyAction === 'POP';
    return goesBack.current || (warning !== null && currentLocation.pathname !== nextLocation.pathname);
  });
  const { state, reset, proceed } = blocker;
  useEffect(() => {
    if (state !== 'blocked') {
      proceeding.current = false;
    } else if (goesBack.current) {
      reset();
      back?.();
    } else if (warning === null) {
      // Saved while it was asked about.
      proceed();
    }
  });
  useEffect(() => onBlocked(state === 'blocked'), [onBlocked, state]);
  useEffect(() => {
    noteConfirmedLeaving(state === 'proceeding');
    return () => noteConfirmedLeaving(false);
  }, [state]);
  return (
    <ConfirmDialog
      opened={state === 'blocked' && !goesBack.current}
      title={warning?.title ?? ''}
      cancelLabel="Resta qui"
      confirmLabel={warning?.leave ?? ''}
      onClose={() => {
        if (!proceeding.current) reset?.();
      }}
      onConfirm={async () => {
        proceeding.current = true;
        proceed?.();
      }}
    >
      {warning?.words}
    </ConfirmDialog>
  );
}

/** Around the pages of the application: asks before one is left in which something was written and not saved (`useLeaveWarning`). */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const [warning, add] = useLeaveWarnings();
  const [backs, setBacks] = useState<readonly Back[]>([]);
  const [blocked, setBlocked] = useState(false);
  const addBack = useCallback((back: Back) => {
    setBacks((others) => [...others, back]);
    return () => setBacks((others) => others.filter((other) => other !== back));
  }, []);
  const host = useMemo(() => ({ add, hold: () => () => {}, ask: null, close: null }), [add]);
  return (
    <WayBack value={addBack}>
      <WarningHostContext value={host}>{children}</WarningHostContext>
      {(warning !== null || backs.length > 0 || blocked) && (
        <NavigationBlocker warning={warning} back={backs.at(-1)} onBlocked={setBlocked} />
      )}
    </WayBack>
  );
}
