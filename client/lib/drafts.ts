import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { Me } from '#contract/accounts.ts';
import { DRAFT_PREFIX } from './draft-keys.ts';
import { meQuery } from './session.ts';

/** What was left unsent under `key`, or null. Something else than an object is not a draft of ours. */
function read(storage: Storage, key: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(storage.getItem(key) ?? 'null');
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Drafts belong to one account: another one that signs in on the same device must not meet them. */
function useDraftKey(name: string): string {
  const me = useQueryClient().getQueryData<Me | null>(meQuery.queryKey);
  return `${DRAFT_PREFIX}${me?.id ?? ''}:${name}`;
}

/** Forgets what was left unsent in this tab, but for drafts that are meant to last: the account has been left. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(DRAFT_PREFIX)) sessionStorage.removeItem(key);
}

/**
 * Keeps what is typed into a form until it is sent or discarded: it survives a reload and an expired session. Use `draft.values` as the form's `initialValues` and `draft.keep` as its `onValuesChange`.
 * @param name one per form; change it when the form's fields change their meaning
 * @param empty the values of an untouched form; only fields it has are restored
 * @param options.lasting whether the draft outlives the tab, for a long form that is filled in over days
 */
export function useDraft<Values extends Record<string, unknown>>(
  name: string,
  empty: Values,
  { lasting = false }: { lasting?: boolean } = {},
) {
  const key = useDraftKey(name);
  const storage = lasting ? localStorage : sessionStorage;
  const initial = useRef<{ values: Values; restored: boolean } | null>(null);
  if (initial.current === null) {
    const kept = read(storage, key);
    const known = Object.entries(kept ?? {}).filter(([field]) => field in empty);
    initial.current = { values: { ...empty, ...Object.fromEntries(known) }, restored: kept !== null };
  }
  const keep = useCallback((values: Values) => storage.setItem(key, JSON.stringify(values)), [storage, key]);
  const discard = useCallback(() => storage.removeItem(key), [storage, key]);
  return {
    ...initial.current,
    /** Remembers the values as they are now. */
    keep,
    /** Whether any are kept now, also from another tab since this was rendered. */
    isKept: useCallback(() => read(storage, key) !== null, [storage, key]),
    /** Forgets them: after the form has been sent, or when the person gives it up. */
    discard,
  };
}
