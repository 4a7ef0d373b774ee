import { type FormEvent, useRef, useState } from 'react';
import { LOGIN_TEXTS } from '#contract/account-texts.ts';
import type { z } from '#contract/validation.ts';
import type { Tell } from './banner.tsx';
import type { Submission } from './submissions.ts';

/** What the forms send; fetched the first time. */
export const loadSubmissions = () => import('./submissions.ts');

type Options<Schema extends z.ZodType, Result> = {
  tell: Tell;
  submission: () => Promise<Submission<Schema, Result>>;
  /** What the form's fields say, in the shape of the schema's input. */
  read: (data: FormData) => unknown;
  /** What follows once it was sent; may reject with ApiError. */
  done: (result: Result) => void | Promise<void>;
  /** Text for a failure of the server that has none of its own. */
  failed?: string;
  /** Text for what broke down without the server having answered. */
  unexpected?: string;
  /** Names the kind of a failure above its text (spec §8), by its code; besides those of every login. */
  headings?: Readonly<Record<string, string>>;
  /** Where the message of a wrong field stands: next to it, or above the form. */
  messages?: 'fields' | 'banner';
};

/**
 * A form of the login screen. Its fields are not controlled by React, so that what was typed or filled in before the
 * page came alive counts. One message at a time (spec §5): the first field in the order of the schema that is wrong.
 */
export function useLoginForm<Schema extends z.ZodType, Result>({
  tell,
  submission,
  read,
  done,
  failed = LOGIN_TEXTS.failed,
  unexpected = failed,
  headings = {},
  messages = 'fields',
}: Options<Schema, Result>) {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});

  function fail(message: string, heading?: string) {
    // Whoever has gone on to another form is not told of this one.
    if (form.current) tell({ kind: 'failure', heading, message });
  }

  function refuse(fields: readonly (readonly [name: string, message: string])[]) {
    const [first] = fields;
    if (!first) return;
    const [field, message] = first;
    // What is said above the form is said of every field that has the same message.
    const meant = messages === 'banner' ? fields.filter(([, other]) => other === message) : [first];
    setWrong(Object.fromEntries(meant));
    if (messages === 'banner') fail(message);
    form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    tell(null);
    setWrong({});
    const data = new FormData(event.currentTarget);
    setBusy(true);
    try {
      await check(data);
    } catch {
      // Not even the code that sends came through.
      fail(failed);
    } finally {
      setBusy(false);
    }
  }

  async function check(data: FormData) {
    const { ApiError, LOGIN_HEADINGS } = await loadSubmissions();
    const { schema, send } = await submission();
    const parsed = schema.safeParse(read(data));
    if (!parsed.success) {
      return refuse(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]));
    }
    try {
      await done(await send(parsed.data));
    } catch (error) {
      if (!(error instanceof ApiError)) return fail(unexpected);
      const { code, message, fields } = error;
      const wrongFields = Object.entries(fields);
      if (wrongFields.length > 0) refuse(wrongFields);
      else fail(code === 'internal' ? failed : message, headings[code] ?? LOGIN_HEADINGS[code]);
    }
  }

  return {
    busy,
    /** Marks a field as wrong; its message only where it belongs next to it. */
    error: (field: string) => (messages === 'fields' ? wrong[field] : undefined),
    invalid: (field: string) => field in wrong,
    /** A post that the page is not yet alive to stop keeps the password out of the address. */
    props: {
      ref: form,
      noValidate: true,
      method: 'post',
      onSubmit: submit,
      // Whoever looks at a field is about to fill it in. A failure is told when the form is sent.
      onFocus: () => void loadSubmissions().catch(() => {}),
    } as const,
  };
}

/** What its fields and buttons need of it. */
export type LoginForm = ReturnType<typeof useLoginForm>;
