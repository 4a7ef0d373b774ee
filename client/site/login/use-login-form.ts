import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '#client/lib/api.ts';
import type { z } from '#contract/validation.ts';
import type { Failure } from './banner.tsx';

type Options<Schema extends z.ZodType> = {
  schema: Schema;
  /** What the form's fields say, in the shape of the schema's input. */
  read: (data: FormData) => unknown;
  /** Rejects with ApiError. */
  send: (values: z.output<Schema>) => Promise<void>;
  /** Text for a failure of the server that has none of its own. */
  failed: string;
  /** Text for what broke down without the server having answered. */
  unexpected?: string;
  /** Names the kind of a failure above its text (spec §8), by its code. */
  headings?: Readonly<Record<string, string>>;
  /** Where the message of a wrong field stands: next to it, or above the form. */
  messages?: 'fields' | 'banner';
};

/**
 * A form of the login screen. Its fields are not controlled by React, so that what was typed or filled in before the
 * page came alive counts. One message at a time (spec §5): the first field in the order of the schema that is wrong.
 */
export function useLoginForm<Schema extends z.ZodType>({
  schema,
  read,
  send,
  failed,
  unexpected = failed,
  headings = {},
  messages = 'fields',
}: Options<Schema>) {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [banner, setBanner] = useState<Failure | null>(null);
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});

  function refuse(field: string, message: string) {
    setWrong({ [field]: message });
    if (messages === 'banner') setBanner({ message });
    form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
  }

  function failureOf(error: unknown): Failure {
    if (!(error instanceof ApiError)) return { message: unexpected };
    const { code, message } = error;
    return { heading: headings[code], message: code === 'internal' ? failed : message };
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    setBanner(null);
    setWrong({});
    const parsed = schema.safeParse(read(new FormData(event.currentTarget)));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      if (issue) refuse(issue.path.join('.'), issue.message);
      return;
    }
    setBusy(true);
    try {
      await send(parsed.data);
    } catch (error) {
      const [field] = error instanceof ApiError ? Object.entries(error.fields) : [];
      if (field) refuse(...field);
      else setBanner(failureOf(error));
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    banner,
    /** Marks a field as wrong; its message only where it belongs next to it. */
    error: (field: string) => (messages === 'fields' ? wrong[field] : undefined),
    invalid: (field: string) => field in wrong,
    /** A post that the page is not yet alive to stop keeps the password out of the address. */
    props: { ref: form, noValidate: true, method: 'post', onSubmit: submit } as const,
  };
}
