import { useDebouncedValue } from '@mantine/hooks';
import { startTransition, useCallback, useEffect, useOptimistic, useState } from 'react';
import { useLocation, useNavigate, useNavigation, useNavigationType, useSearchParams } from 'react-router';
import { DEBOUNCE_MS } from './debounce.ts';

/** The address that the latest change leads to. The router applies it a little later; a second change must build on it. */
let underWay: { pathname: string; search: string } | null = null;

/**
 * The filters and the order of a list, kept in the page's address: they survive a reload and going back, and the address can be
 * passed on. Changing them adds nothing to the history.
 * @returns the parameters, and a function that changes some of them and resolves once they are in the address; an empty text
 * removes one
 */
export function useAddressFilters<Name extends string>(): [
  parameters: URLSearchParams,
  change: (values: Partial<Record<Name, string>>) => Promise<void>,
] {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const change = useCallback(
    async (values: Partial<Record<Name, string>>) => {
      const { pathname, search } = window.location;
      // Not of what is rendered, which may be a change behind the address.
      const next = new URLSearchParams(underWay?.pathname === pathname ? underWay.search : search);
      for (const [name, value] of Object.entries<string | undefined>(values)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      const way = { pathname, search: next.toString() };
      underWay = way;
      try {
        await navigate({ search: way.search }, { replace: true, preventScrollReset: true });
      } finally {
        if (underWay === way) underWay = null;
      }
    },
    [navigate],
  );
  return [parameters, change];
}

/**
 * Shows a change at once that reaches the address only later, together with the list rendered for it.
 * @param apply makes the change
 * @returns the value to show, and a function that makes a change and shows it at once
 */
export function useShownAtOnce<Value extends object, Change extends Partial<Value>>(
  value: Value,
  apply: (change: Change) => Promise<void>,
): [shown: Value, change: (change: Change) => void] {
  const [shown, show] = useOptimistic(value, (current, change: Change) => ({ ...current, ...change }));
  return [
    shown,
    (change) =>
      startTransition(async () => {
        show(change);
        await apply(change);
      }),
  ];
}

/** A key for fields that must start anew: it changes when the page is reached by its address, not when its filters change. */
export function useArrival(): string {
  const { key } = useLocation();
  const replaced = useNavigationType() === 'REPLACE';
  const [arrival, setArrival] = useState(key);
  if (!replaced && key !== arrival) setArrival(key);
  return arrival;
}

/** A search box whose text settles before it is used. It stands in the address (`?cerca=`), see `useAddressFilters`. */
export function useAddressSearch(): { typed: string; settled: string; setTyped: (text: string) => void } {
  const [parameters, change] = useAddressFilters<'cerca'>();
  const asked = parameters.get('cerca') ?? '';
  const [answered, setAnswered] = useState(asked);
  /** What this box put there itself: by the time that it stands there, more may have been typed. */
  const [submitted, setSubmitted] = useState(asked);
  const [typed, setTyped] = useState(asked);
  if (asked !== answered) {
    setAnswered(asked);
    setSubmitted(asked);
    if (asked !== submitted) setTyped(asked);
  }
  const [settled] = useDebouncedValue(typed.trim(), DEBOUNCE_MS);
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  // A change of the address would call off the way to another page.
  const leaving = next !== undefined && next.pathname !== pathname;
  const told = settled === typed.trim() && settled !== asked.trim() && !leaving;
  useEffect(() => {
    if (!told) return;
    setSubmitted(settled);
    change({ cerca: settled });
  }, [told, settled, change]);
  return { typed, settled, setTyped };
}
