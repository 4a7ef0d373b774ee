import { useDebouncedValue } from '@mantine/hooks';
import { startTransition, useCallback, useContext, useEffect, useMemo, useOptimistic, useState } from 'react';
import {
  UNSAFE_DataRouterContext,
  useLocation,
  useNavigate,
  useNavigation,
  useNavigationType,
  useSearchParams,
} from 'react-router';
import { customerParam } from '#contract/customers.ts';
import { idFilterSchema, listQuerySchema } from '#contract/lists.ts';
import type { z } from '#contract/validation.ts';
import { DEBOUNCE_MS } from './debounce.ts';

/**
 * The schemas of the parameters that are passed to the API as they are. All other parameters choose from fixed values and
 * are checked where they are read.
 */
const SENT: Readonly<Record<string, z.ZodType>> = {
  cerca: listQuerySchema.shape.search,
  cliente: customerParam.shape.id,
  progetto: idFilterSchema,
  utente: customerParam.shape.id,
};

/** The parameters without those that the API would refuse: a URL may have been typed, or cut off on its way. */
export function usableParameters(parameters: URLSearchParams): URLSearchParams {
  const usable = [...parameters].filter(
    ([name, text]) => !text.includes('\0') && SENT[name]?.safeParse(text).success !== false,
  );
  return new URLSearchParams(usable);
}

/** The URL of the latest change. The router applies it a little later, and a second change has to build on it. */
let underWay: { pathname: string; search: string } | null = null;

/**
 * The filters and order of a list, kept in the page's URL: they survive a reload and going back, and the URL can be
 * shared. Changes replace the history entry.
 * @returns the usable parameters (`usableParameters`), and a function that changes some of them and resolves once they are
 *   in the URL; an empty text removes one
 */
export function useAddressFilters<Name extends string>(): [
  parameters: URLSearchParams,
  change: (values: Partial<Record<Name, string>>) => Promise<void>,
] {
  const [all] = useSearchParams();
  const parameters = useMemo(() => usableParameters(all), [all]);
  const navigate = useNavigate();
  const change = useCallback(
    async (values: Partial<Record<Name, string>>) => {
      const { pathname, search } = window.location;
      // The latest URL, because the rendered one may be a change behind.
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
 * Shows a change at once that is applied later, together with the list rendered for it.
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

/**
 * A key that resets fields: it changes when the page is navigated to, not when its filters change.
 * @returns the key, and a function that changes it
 */
export function useFieldsKey(): [key: string, reset: () => void] {
  const { key } = useLocation();
  const replaced = useNavigationType() === 'REPLACE';
  const [arrival, setArrival] = useState(key);
  if (!replaced && key !== arrival) setArrival(key);
  const [round, setRound] = useState(0);
  return [`${arrival} ${round}`, () => setRound((current) => current + 1)];
}

/** @param next where a navigation in progress leads to */
const leadsAway = (next: { pathname: string } | undefined, pathname: string) =>
  next !== undefined && next.pathname !== pathname;

/** A search box whose text is used once typing pauses. It is stored in the URL (`?cerca=`), see `useAddressFilters`. */
export function useAddressSearch(): { typed: string; settled: string; setTyped: (text: string) => void } {
  const [parameters, change] = useAddressFilters<'cerca'>();
  const asked = parameters.get('cerca') ?? '';
  const [answered, setAnswered] = useState(asked);
  /** The text that this box wrote to the URL itself; more may have been typed by the time it is there. */
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
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  // Changing the URL would cancel a navigation in progress.
  const told = settled === typed.trim() && settled !== asked.trim() && !leadsAway(next, pathname);
  useEffect(() => {
    // One that has just begun is rendered a little later, and a busy machine takes its time for it.
    if (!told || leadsAway(router?.state.navigation.location, pathname)) return;
    setSubmitted(settled);
    change({ cerca: settled });
  }, [told, settled, change, router, pathname]);
  return { typed, settled, setTyped };
}
