import { type FormEvent, useRef, useState } from 'react';
import { NOT_LOADED } from '#client/lib/background-code.ts';
import type { z } from '#contract/validation.ts';
import type { ShowMessage } from './banner.tsx';
import type { Submission } from './submissions.ts';

/** Loads the schemas and requests of the forms on first use. */
export const loadSubmissions = () => import('./submissions.ts');

type Options<Schema extends z.ZodType, Result> = {
  tell: ShowMessage;
  submission: () => Promise<Submission<Schema, Result>>;
  /** The values of the form's fields, as input of the schema. */
  read: (data: FormData) => unknown;
  /** Called with the result of the submission; may reject with ApiError. */
  done: (result: Result) => void | Promise<void>;
  /** Where the message of an invalid field is shown: next to it, or above the form. */
  messages?: 'fields' | 'banner';
};

/**
 * A form of the login screen. Its fields are uncontrolled, so that input typed or autofilled before hydration counts.
 * Shows one message at a time (spec §5): that of the first invalid field in the order of the schema.
 */
export function useLoginForm<Schema extends z.ZodType, Result>({
  tell,
  submission,
  read,
  done,
  messages = 'fields',
}: Options<Schema, Result>) {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  /** A field that already had the focus is not read again with its message, which is announced instead. */
  const [announced, setAnnounced] = useState(false);

  function fail(message: string, heading?: string) {
    // Not shown once the user has moved on to another form.
    if (form.current) tell({ kind: 'failure', heading, message });
  }

  function refuse(fields: readonly (readonly [name: string, message: string])[]) {
    const [first] = fields;
    if (!first) return;
    const [field, message] = first;
    // A message above the form marks every field that has the same message.
    const meant = messages === 'banner' ? fields.filter(([, other]) => other === message) : [first];
    setWrong(Object.fromEntries(meant));
    if (messages === 'banner') fail(message);
    const input = form.current?.querySelector<HTMLElement>(`[name="${field}"]`);
    setAnnounced(input === document.activeElement);
    input?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    tell(null);
    setWrong({});
    const data = new FormData(event.currentTarget);
    setBusy(true);
    try {
      // Rejects only if the code for submitting could not be loaded.
      await check(data, await loadSubmissions(), await submission());
    } catch {
      fail(NOT_LOADED.message, NOT_LOADED.title);
    } finally {
      setBusy(false);
    }
  }

  async function check(
    data: FormData,
    { ApiError }: Awaited<ReturnType<typeof loadSubmissions>>,
    { schema, send, failed, unexpected, headings }: Submission<Schema, Result>,
  ) {
    const parsed = schema.safeParse(read(data));
    if (!parsed.success) {
      return refuse(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]));
    }
    try {
      await done(await send(parsed.data));
    } catch (error) {
      if (!(error instanceof ApiError)) return fail(unexpected);
      const { status, code, message, fields } = error;
      const wrongFields = Object.entries(fields);
      if (wrongFields.length > 0) refuse(wrongFields);
      else if (status < 500) fail(message, headings[code]);
      else fail(failed, headings.internal);
    }
  }

  return {
    busy,
    /** The message to show next to a field, if messages belong there. */
    error: (field: string) =>
      messages === 'fields' &&
      field in wrong && <span role={announced ? 'alert' : undefined}>{wrong[field]}</span>,
    invalid: (field: string) => field in wrong,
    /** `method: 'dialog'`: without scripts nothing is sent. Before hydration `wake.ts` notes that it was submitted. */
    props: {
      ref: form,
      noValidate: true,
      method: 'dialog',
      onSubmit: submit,
      // A focused field is likely to be filled in. A loading failure is reported on submission.
      onFocus: () => void loadSubmissions().catch(() => {}),
    } as const,
  };
}

/** The part of the hook's result for fields and buttons. */
export type LoginForm = ReturnType<typeof useLoginForm>;
