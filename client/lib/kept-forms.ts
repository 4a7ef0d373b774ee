import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Me } from '#contract/accounts.ts';
import { isLeaving, meQuery } from './session.ts';

/** What was being filled in when a session ended, files included: it never leaves the memory of the open page. */
const kept = new Map<string, unknown>();

/** The parts of a form this needs: any form of @mantine/form. */
type Keepable<Values> = { getValues(): Values; setValues(values: Values): void };

/** Passwords and codes are typed again. */
function withoutSecrets(values: unknown): Record<string, unknown> {
  const fields = Object.entries(values as Record<string, unknown>);
  return Object.fromEntries(
    fields.map(([field, value]) => [field, /password|code/i.test(field) ? '' : value]),
  );
}

/**
 * Hands a form that a lost session closed back as it was, once the same account has logged in and opens it again.
 * @param name of the form, one per page
 */
export function useKeptForm<Values>(form: Keepable<Values>, name: string): void {
  const client = useQueryClient();
  const latest = useRef({ form, name });
  latest.current = { form, name };

  useEffect(() => {
    const owner = client.getQueryData<Me | null>(meQuery.queryKey)?.id;
    if (!owner) return;
    const { pathname } = location;
    const keyOf = () => `${owner} ${pathname} ${latest.current.name}`;
    for (const key of kept.keys()) if (!key.startsWith(`${owner} `)) kept.delete(key);
    const values = kept.get(keyOf());
    kept.delete(keyOf());
    if (values) latest.current.form.setValues(values as Values);
    return () => {
      const ended = client.getQueryData<Me | null>(meQuery.queryKey) === null;
      if (ended && !isLeaving()) kept.set(keyOf(), withoutSecrets(latest.current.form.getValues()));
    };
  }, [client]);
}
