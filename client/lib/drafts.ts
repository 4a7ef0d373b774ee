import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { Me } from '#contract/accounts.ts';
import { queryClient } from './query-client.ts';
import { meQuery } from './session.ts';
import { deviceStorage, type SafeStorage, tabStorage } from './storage.ts';

/** Key prefix of all drafts, in sessionStorage and localStorage. */
const DRAFT_PREFIX = 'trasvia:draft:';

/** A draft as stored, or null; anything but an object is not one of our drafts. */
function parse(text: string | null): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text ?? 'null');
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The draft stored under `key`, or null. */
function read(storage: SafeStorage, key: string): Record<string, unknown> | null {
  return parse(storage.read(key));
}

/**
 * Where the signed-in account's draft is stored. Drafts belong to one account; another account on the same device must not
 * see them.
 */
export function draftKeyOf(name: string, client: QueryClient = queryClient): string {
  const me = client.getQueryData<Me | null>(meQuery.queryKey);
  return `${DRAFT_PREFIX}${me?.id ?? ''}:${name}`;
}

/** Removes this tab's drafts when the account is left. Lasting drafts stay. */
export function forgetDrafts(): void {
  tabStorage.removeAll(DRAFT_PREFIX);
}

/** Subscribes to changes by other tabs. */
function onOtherTabs(listener: (event: StorageEvent) => void): () => void {
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

/**
 * Keeps the input of a form until it is submitted or discarded: it survives a reload and an expired session. Use
 * `draft.values` as the form's `initialValues` and `draft.keep` as its `onValuesChange`.
 * There is one draft per name: if several tabs fill in the same form, the last input wins.
 * @param name one per form; change it when the form's fields change their meaning
 * @param empty the values of an untouched form; only fields it has are restored
 * @param options.lasting whether the draft outlives the tab, for a long form that is filled in over days
 * @param options.anew starts with an empty form, even if another tab keeps a draft
 */
export function useDraft<Values extends Record<string, unknown>>(
  name: string,
  empty: Values,
  { lasting = false, anew = false }: { lasting?: boolean; anew?: boolean } = {},
) {
  const key = draftKeyOf(name, useQueryClient());
  const storage = lasting ? deviceStorage : tabStorage;
  const initial = useRef<{ values: Values; restored: boolean } | null>(null);
  /** The stored text as far as this form knows: what it found there or wrote itself. */
  const own = useRef<string | null>(null);
  if (initial.current === null) {
    const kept = anew ? null : read(storage, key);
    const known = Object.entries(kept ?? {}).filter(([field]) => field in empty);
    initial.current = { values: { ...empty, ...Object.fromEntries(known) }, restored: kept !== null };
    own.current = anew ? null : storage.read(key);
  }
  const keep = useCallback(
    (values: Values) => {
      own.current = JSON.stringify(values);
      storage.write(key, own.current);
    },
    [storage, key],
  );
  const isOthers = useCallback(() => ![null, own.current].includes(storage.read(key)), [storage, key]);
  const discard = useCallback(() => {
    if (!isOthers()) storage.remove(key);
    own.current = null;
  }, [storage, key, isOthers]);
  return {
    ...initial.current,
    /** Stores the current values. */
    keep,
    /** Whether there is a draft now, possibly written by another tab since this was rendered. */
    isKept: useCallback(() => read(storage, key) !== null, [storage, key]),
    /** Whether the current draft was written by another tab since. */
    isOthers,
    /** Whether this form's last draft is still stored: another tab may have overwritten, submitted or discarded it. */
    isSafe: useSyncExternalStore(onOtherTabs, () => storage.read(key) === own.current),
    /** Calls `listener` with each draft that another tab stores. @returns the end of it */
    onOthers: useCallback(
      (listener: (draft: Record<string, unknown>) => void) =>
        onOtherTabs((event) => {
          // Not the stored one, which may be removed by the time of the event.
          const draft = event.key === key ? parse(event.newValue) : null;
          if (draft) listener(draft);
        }),
      [key],
    ),
    /** Removes the draft after the form was submitted or discarded, unless another tab has written it since. */
    discard,
  };
}
