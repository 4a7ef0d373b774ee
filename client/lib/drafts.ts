import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { Me } from '#contract/accounts.ts';
import { DRAFT_PREFIX } from './draft-keys.ts';
import { meQuery } from './session.ts';

/** What was left unsent under `key`, or null; anything but an object is not one of our drafts. */
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

/** Forgets this tab's drafts when the account is left, except those that are meant to last. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(DRAFT_PREFIX)) sessionStorage.removeItem(key);
}

/** Hears of what other tabs keep or forget. */
function onOtherTabs(listener: () => void): () => void {
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

/**
 * Keeps what is typed into a form until it is sent or discarded: it survives a reload and an expired session. Use
 * `draft.values` as the form's `initialValues` and `draft.keep` as its `onValuesChange`.
 * There is one draft per name: where several tabs fill in the same form, the last one typed in wins.
 * @param name one per form; change it when the form's fields change their meaning
 * @param empty the values of an untouched form; only fields it has are restored
 * @param options.lasting whether the draft outlives the tab, for a long form that is filled in over days
 * @param options.anew begins with an empty form, also where another tab keeps one
 */
export function useDraft<Values extends Record<string, unknown>>(
  name: string,
  empty: Values,
  { lasting = false, anew = false }: { lasting?: boolean; anew?: boolean } = {},
) {
  const key = useDraftKey(name);
  const storage = lasting ? localStorage : sessionStorage;
  const initial = useRef<{ values: Values; restored: boolean } | null>(null);
  /** What stands in the storage as far as this form knows: what it found there, or kept itself. */
  const own = useRef<string | null>(null);
  if (initial.current === null) {
    const kept = anew ? null : read(storage, key);
    const known = Object.entries(kept ?? {}).filter(([field]) => field in empty);
    initial.current = { values: { ...empty, ...Object.fromEntries(known) }, restored: kept !== null };
    own.current = anew ? null : storage.getItem(key);
  }
  const keep = useCallback(
    (values: Values) => {
      own.current = JSON.stringify(values);
      storage.setItem(key, own.current);
    },
    [storage, key],
  );
  const isOthers = useCallback(() => ![null, own.current].includes(storage.getItem(key)), [storage, key]);
  const discard = useCallback(() => {
    if (!isOthers()) storage.removeItem(key);
    own.current = null;
  }, [storage, key, isOthers]);
  return {
    ...initial.current,
    /** Remembers the values as they are now. */
    keep,
    /** Whether any are kept now, also from another tab since this was rendered. */
    isKept: useCallback(() => read(storage, key) !== null, [storage, key]),
    /** Whether what is kept now is what another tab has kept since. */
    isOthers,
    /** Whether what this form kept last is kept still: another tab may have kept something else, sent it or given it up. */
    isSafe: useSyncExternalStore(onOtherTabs, () => storage.getItem(key) === own.current),
    /** Forgets them: after the form has been sent, or when the person gives it up. What another tab has kept since stays. */
    discard,
  };
}
