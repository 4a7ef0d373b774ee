import type { UseFormReturnType } from '@mantine/form';
import { useRef, useState } from 'react';
import { errorCurrentSchema } from '#contract/errors.ts';
import type { z } from '#contract/validation.ts';
import { ApiError } from './api.ts';

/** The current record that a 409 carries; null when `error` is something else. */
export function currentOf<Saved>(error: unknown, schema: z.ZodType<Saved>): Saved | null {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return null;
  const body = errorCurrentSchema.safeParse(error.body);
  return (body.success && schema.safeParse(body.data.current).data) || null;
}

/** Puts a saved record into the form that edits it: nothing of that would be lost. */
export function takeOver<Values extends object>(form: UseFormReturnType<Values>, saved: Values): void {
  form.setValues(saved);
  form.resetDirty(saved);
}

/** How an edit stands towards what others saved meanwhile. */
export type EditConflict<Saved> = {
  /** The record whose values the form started from. */
  base: Saved;
  /** The record as somebody else saved it, while the person has to choose; null otherwise. */
  saved: Saved | null;
  /**
   * Sends an edit from the version it starts from.
   * @returns whether it was saved; false when somebody was quicker, who is then in `saved`. Rejects as `edit` does otherwise
   */
  send: (edit: (version: number) => Promise<unknown>) => Promise<boolean>;
  /** The next sending replaces what was saved. */
  keepMine: () => void;
  /** What was saved is where the edit starts from anew. @returns it */
  takeSaved: () => Saved;
};

/**
 * For a form that edits `record`, which others may change at the same time: see ConflictNotice.
 * @param schema of the record that the server sends with a conflict
 */
export function useEditConflict<Saved extends { version: number }>(
  record: Saved,
  schema: z.ZodType<Saved>,
): EditConflict<Saved> {
  const [base, setBase] = useState(record);
  const [saved, setSaved] = useState<Saved | null>(null);
  // Not a state: the press that decides also sends, before anything is rendered.
  const from = useRef(record.version);
  return {
    base,
    saved,
    async send(edit) {
      setSaved(null);
      try {
        await edit(from.current);
        return true;
      } catch (error) {
        const current = currentOf(error, schema);
        if (!current) throw error;
        setSaved(current);
        return false;
      }
    },
    keepMine() {
      from.current = saved?.version ?? from.current;
    },
    takeSaved() {
      const taken = saved ?? base;
      from.current = taken.version;
      setBase(taken);
      setSaved(null);
      return taken;
    },
  };
}
