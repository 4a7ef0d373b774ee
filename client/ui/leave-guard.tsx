import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { isLeaving } from '#client/lib/session.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import {
  type LeaveWarning,
  noteConfirmedLeaving,
  useLeaveWarnings,
  WarningHostContext,
} from './leave-warning.ts';
import { type Back, WayBack } from './way-back.tsx';

/**
 * Mounted only when needed: the router supports a single blocker, and while there is one it warns of jumps within a
 * page.
 * @param backs what the back button does instead of leaving the page, the latest last
 * @param onStay called when the user refused to leave
 * @param onBlocked told whether a navigation is being held; unmounting the blocker would drop it
 */
function NavigationBlocker({
  warning,
  backs,
  onStay,
  onBlocked,
}: {
  warning: LeaveWarning | null;
  backs: readonly Back[];
  onStay: () => void;
  onBlocked: (blocked: boolean) => void;
}) {
  /** What the press on the back button that is held does instead; null for another navigation. */
  const pressed = useRef<Back>(null);
  /** When the router has undone that press. Until then the current history entry is that of another page. */
  const undone = useRef<Promise<unknown>>(Promise.resolve());
  const proceeding = useRef(false);
  const blocker = useBlocker(({ historyAction, currentLocation, nextLocation }) => {
    // Logging out is never blocked.
    if (isLeaving()) return false;
    pressed.current = (historyAction === 'POP' && backs.findLast(({ current }) => current)) || null;
    if (pressed.current)
      undone.current = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    return (
      pressed.current !== null || (warning !== null && currentLocation.pathname !== nextLocation.pathname)
    );
  });
  const { state, reset, proceed } = blocker;
  useEffect(() => {
    const back = pressed.current;
    if (state !== 'blocked') {
      proceeding.current = false;
    } else if (back) {
      reset();
      void undone.current.then(() => back.current?.());
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
      opened={state === 'blocked' && !pressed.current}
      title={warning?.title ?? ''}
      cancelLabel="Resta qui"
      confirmLabel={warning?.leave ?? ''}
      onClose={() => {
        if (proceeding.current) return;
        reset?.();
        onStay();
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

/**
 * Wraps the pages of the application and asks before one with unsaved input is left (`useLeaveWarning`).
 * @param onStay called when the user refused to leave
 */
export function LeaveGuard({ children, onStay }: { children: ReactNode; onStay: () => void }) {
  const [warning, add] = useLeaveWarnings();
  const [backs, setBacks] = useState<readonly Back[]>([]);
  const [blocked, setBlocked] = useState(false);
  const addBack = useCallback((back: Back) => {
    setBacks((others) => [...others, back]);
    return () => setBacks((others) => others.filter((other) => other !== back));
  }, []);
  const host = useMemo(() => ({ add, hold: () => () => {}, ask: null, close: null }), [add]);
  return (
    <>
      <WayBack value={addBack}>
        <WarningHostContext value={host}>{children}</WarningHostContext>
      </WayBack>
      {/* Outside: its question is closed by the blocker itself. */}
      {(warning !== null || backs.length > 0 || blocked) && (
        <NavigationBlocker warning={warning} backs={backs} onStay={onStay} onBlocked={setBlocked} />
      )}
    </>
  );
}
