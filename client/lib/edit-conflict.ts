import type { UseFormReturnType } from '@mantine/form';
import { useRef, useState } from 'react';
import { errorCurrentSchema } from '#contract/error-body.ts';
import { readable, type z } from '#contract/validation.ts';
import { ApiError } from './api.ts';

/** The current record in a 409 response; null when `error` is something else. */
export function currentOf<Saved>(error: unknown, schema: z.ZodType<Saved>): Saved | null {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return null;
  const body = errorCurrentSchema.safeParse(error.body);
  return (body.success && schema.safeParse(body.data.current).data) || null;
}

/** A conflict, with what `describe` says about the current record as its message; null when `error` is something else. */
export function describedConflict<Saved>(
  error: unknown,
  schema: z.ZodType<Saved>,
  describe: (current: Saved) => string,
): ApiError | null {
  const current = currentOf(error, schema);
  if (!current || !(error instanceof ApiError)) return null;
  const { status, code, body } = error;
  return new ApiError({ status, code, body, message: describe(current) });
}

/** Fills the form with a saved record and marks it as unchanged. */
export function takeOver<Values extends object>(form: UseFormReturnType<Values>, saved: Values): void {
  form.setValues(saved);
  form.resetDirty(saved);
}

/** A field of a record, as text in the version being written and in the saved one. */
export type Difference = { field: string; mine: string; saved: string };

/** `text` as it is stored, but for repeated blanks, which are kept in texts of several lines and look like one. */
const stored = (text: string) => readable(text).replace(/ +/g, ' ');

/** Whether a field is the same in both versions: what is being written is not yet cleaned as what was saved. */
export const isSame = ({ mine, saved }: Difference) => stored(mine) === stored(saved);

/** The state of an edit relative to changes saved by others. */
export type EditConflict<Saved> = {
  /** The record whose values the form started from. */
  base: Saved;
  /** The record as saved by somebody else, while the user has to choose; null otherwise. */
  saved: Saved | null;
  /**
   * Sends an edit based on the record it starts from.
   * @param differencesFrom all fields of the edit, with their values in the saved record
   * @returns whether the record is as the edit wants it; false when somebody saved something else first, which is then in
   *   `saved`. Other failures reject like `edit`
   */
  send: (
    edit: (from: Saved) => Promise<unknown>,
    differencesFrom: (saved: Saved) => readonly Difference[],
  ) => Promise<boolean>;
  /** Notes fields of the record that the form has saved or taken over by itself, for a form that stays open. */
  note: (fields: Partial<Saved>) => void;
  /** The next `send` overwrites the saved record. */
  keepMine: () => void;
  /** Restarts the edit from the saved record. @returns it */
  takeSaved: () => Saved;
};

/**
 * For a form that edits `record`, which others may change at the same time; see ConflictNotice.
 * @param schema of the record that the server sends with a conflict
 */
export function useEditConflict<Saved>(record: Saved, schema: z.ZodType<Saved>): EditConflict<Saved> {
  const [base, setBase] = useState(record);
  const [saved, setSaved] = useState<Saved | null>(null);
  // A ref, not a state: the press that decides also sends, before anything is rendered.
  const from = useRef(record);
  return {
    base,
    saved,
    async send(edit, differencesFrom) {
      setSaved(null);
      try {
        await edit(from.current);
        return true;
      } catch (error) {
        const current = currentOf(error, schema);
        if (!current) throw error;
        // The same edit was saved before, but its answer was lost.
        if (differencesFrom(current).every(isSame)) return true;
        setSaved(current);
        return false;
      }
    },
    note(fields) {
      from.current = { ...from.current, ...fields };
    },
    keepMine() {
      from.current = saved ?? from.current;
    },
    takeSaved() {
      const taken = saved ?? base;
      from.current = taken;
      setBase(taken);
      setSaved(null);
      return taken;
    },
  };
}
