import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Me } from '#contract/accounts.ts';
import { isLeaving, meQuery } from './session.ts';

/** What was being filled in when a session ended, files included: it never leaves the memory of the open page. */
const kept = new Map<string, unknown>();

const ownerOf = (client: QueryClient) => client.getQueryData<Me | null>(meQuery.queryKey)?.id;

/** What was kept under `name` when the same account lost its session on this page; given once, then undefined. */
function takeKept(owner: string, name: string): unknown {
  for (const key of kept.keys()) if (!key.startsWith(`${owner} `)) kept.delete(key);
  const key = `${owner} ${location.pathname} ${name}`;
  const value = kept.get(key);
  kept.delete(key);
  return value;
}

/**
 * Keeps what `read` gives under `name` when the session of `owner` ends and takes the page away.
 * @param path of the page, which is another one by the time the page goes
 */
function keepIfEnded(client: QueryClient, owner: string, path: string, name: string, read: () => unknown) {
  const ended = client.getQueryData<Me | null>(meQuery.queryKey) === null;
  if (ended && !isLeaving()) kept.set(`${owner} ${path} ${name}`, read());
}

/** The parts of a form this needs: any form of @mantine/form. */
type Keepable<Values> = {
  getValues(): Values;
  isDirty(field: string): boolean;
  setValues(values: Partial<Values>): void;
};

/** Passwords and codes are typed again. */
const isSecret = (field: string) => /password|confirmation|code/i.test(field);

/** The part of `form` to be handed back: all of it, or the fields that differ from what it began with. */
function partOf<Values>(form: Keepable<Values>, whole: boolean): Record<string, unknown> {
  const fields = Object.entries(form.getValues() as Record<string, unknown>);
  return Object.fromEntries(fields.filter(([field]) => !isSecret(field) && (whole || form.isDirty(field))));
}

/**
 * Restores what was changed in a form that a lost session closed, once the same account has logged in and opens it again. Fields
 * that were not changed start with their current values, which others may have saved meanwhile.
 * @param name of the form and of the record it changes: one per page
 * @param whole whether everything is restored: the form is a draft, of which nobody else saves a part
 */
export function useKeptForm<Values>(form: Keepable<Values>, name: string, whole: boolean): void {
  const client = useQueryClient();
  const latest = useRef({ form, name, whole });
  latest.current = { form, name, whole };

  useEffect(() => {
    const owner = ownerOf(client);
    if (!owner) return;
    const { pathname } = location;
    const values = takeKept(owner, `form ${latest.current.name}`);
    if (values) latest.current.form.setValues(values as Partial<Values>);
    return () =>
      keepIfEnded(client, owner, pathname, `form ${latest.current.name}`, () =>
        partOf(latest.current.form, latest.current.whole),
      );
  }, [client]);
}

/**
 * React's `useState` for which dialog is open: a dialog that a lost session closed is open again once the same account has
 * logged in and is back, so that its form is where it was.
 * @param name of the state: one per page, with the record where there are several
 */
export function useKeptState<State>(name: string, initial: State) {
  const client = useQueryClient();
  const [state, setState] = useState<State>(() => {
    const owner = ownerOf(client);
    return ((owner && takeKept(owner, `state ${name}`)) as State | undefined) ?? initial;
  });
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    const owner = ownerOf(client);
    if (!owner) return;
    const { pathname } = location;
    return () => keepIfEnded(client, owner, pathname, `state ${name}`, () => latest.current);
  }, [client, name]);
  return [state, setState] as const;
}
