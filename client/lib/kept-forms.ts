import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Me } from '#contract/accounts.ts';
import { isLeaving, meQuery } from './session.ts';

/**
 * Forms, including files, that were being filled in when a session ended. Never stored outside the memory of the open
 * page.
 */
const kept = new Map<string, unknown>();

const ownerOf = (client: QueryClient) => client.getQueryData<Me | null>(meQuery.queryKey)?.id;

const keyOf = (owner: string, path: string, name: string) => `${owner} ${path} ${name}`;

/** What was kept under `name` when the same account lost its session on this page, until it is dropped. */
function findKept(owner: string, name: string): unknown {
  return kept.get(keyOf(owner, location.pathname, name));
}

/** Drops what `findKept` has found, and everything of other accounts. */
function dropKept(owner: string, name: string): void {
  for (const key of kept.keys()) if (!key.startsWith(`${owner} `)) kept.delete(key);
  kept.delete(keyOf(owner, location.pathname, name));
}

/**
 * Keeps the result of `read` under `name` if the page unmounts because the session of `owner` ended.
 * @param path of the page; the location has already changed when it unmounts
 */
function keepIfEnded(client: QueryClient, owner: string, path: string, name: string, read: () => unknown) {
  const ended = client.getQueryData<Me | null>(meQuery.queryKey) === null;
  if (ended && !isLeaving()) kept.set(keyOf(owner, path, name), read());
}

/** The part of a @mantine/form form that is needed here. */
type Keepable<Values> = {
  getValues(): Values;
  isDirty(field: string): boolean;
  setValues(values: Partial<Values>): void;
};

/** Passwords and codes have to be typed again. */
const isSecret = (field: string) => /password|confirmation|code/i.test(field);

/** The values to restore: all of them, or only the changed fields. */
function partOf<Values>(form: Keepable<Values>, whole: boolean): Record<string, unknown> {
  const fields = Object.entries(form.getValues() as Record<string, unknown>);
  return Object.fromEntries(fields.filter(([field]) => !isSecret(field) && (whole || form.isDirty(field))));
}

/**
 * Restores the changes in a form that was closed by a lost session, once the same account has logged in and opens it
 * again. Unchanged fields start with their current values, which others may have saved meanwhile.
 * @param name of the form and the record it changes; unique within a page
 * @param whole restores all values: for a draft, no part of which is saved by others
 */
export function useKeptForm<Values>(form: Keepable<Values>, name: string, whole: boolean): void {
  const client = useQueryClient();
  const latest = useRef({ form, name, whole });
  latest.current = { form, name, whole };

  useEffect(() => {
    const owner = ownerOf(client);
    if (!owner) return;
    const { pathname } = location;
    const values = findKept(owner, `form ${latest.current.name}`);
    dropKept(owner, `form ${latest.current.name}`);
    if (values) latest.current.form.setValues(values as Partial<Values>);
    return () =>
      keepIfEnded(client, owner, pathname, `form ${latest.current.name}`, () =>
        partOf(latest.current.form, latest.current.whole),
      );
  }, [client]);
}

/**
 * `useState` for which dialog is open: a dialog closed by a lost session is open again once the same account has logged
 * in and returned, so that its form can be restored.
 * @param name of the state, with the record if there are several; unique within a page
 */
export function useKeptState<State>(name: string, initial: State) {
  const client = useQueryClient();
  const [state, setState] = useState<State>(() => {
    const owner = ownerOf(client);
    return ((owner && findKept(owner, `state ${name}`)) as State | undefined) ?? initial;
  });
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    const owner = ownerOf(client);
    if (!owner) return;
    // Not while rendering: a render that React gives up and repeats must find it again.
    dropKept(owner, `state ${name}`);
    const { pathname } = location;
    return () => keepIfEnded(client, owner, pathname, `state ${name}`, () => latest.current);
  }, [client, name]);
  return [state, setState] as const;
}
