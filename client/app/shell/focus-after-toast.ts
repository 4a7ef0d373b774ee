import { useEffect, useRef } from 'react';
import { useToast } from '#client/lib/toast.ts';
import { isFocusLost, pageTitle } from '#client/ui/opener.ts';

/**
 * Renders nothing. When a toast is removed while its button has the focus, the focus goes back to where it came from. Not a
 * part of the toast's region, whose code the public pages load as well.
 */
export function FocusAfterToast(): null {
  const shown = useToast()?.id;
  /** What had the focus before the toast; undefined while the toast has not got it. */
  const before = useRef<Element | null>(undefined);
  useEffect(() => {
    const note = ({ target, relatedTarget }: FocusEvent) => {
      const inToast = target instanceof Element && target.closest('[data-at]') !== null;
      before.current = inToast ? (relatedTarget as Element | null) : undefined;
    };
    addEventListener('focusin', note);
    return () => removeEventListener('focusin', note);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another toast is shown, or none
  useEffect(() => {
    const from = before.current;
    before.current = undefined;
    if (from === undefined || !isFocusLost()) return;
    const target = from instanceof HTMLElement && from.isConnected ? from : pageTitle();
    target?.focus({ preventScroll: true });
  }, [shown]);
  return null;
}
