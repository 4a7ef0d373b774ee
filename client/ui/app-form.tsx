import { Alert } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, use, useEffect, useRef, useState } from 'react';
import { afterPaint } from '#client/lib/after-paint.ts';
import { ApiError } from '#client/lib/api.ts';
import { isGone, toastGone } from '#client/lib/failures.ts';
import { useKeptForm } from '#client/lib/kept-forms.ts';
import { noticeEndedSession } from '#client/lib/session.ts';
import { type LeaveWarning, useHeldOpen, useLeaveWarning, WarningHostContext } from './leave-warning.ts';

/** What is said of so many wrong fields. */
const wrongFields = (count: number) =>
  count === 1 ? 'C’è 1 campo da correggere.' : `Ci sono ${count} campi da correggere.`;

/** What was typed and not sent, in a dialog and in a page. */
const UNSENT_IN_DIALOG: LeaveWarning = {
  title: 'Chiudere senza salvare?',
  words: 'Quello che hai scritto non è ancora salvato: se chiudi, va perso.',
  leave: 'Chiudi senza salvare',
};
const UNSENT_IN_PAGE: LeaveWarning = {
  title: 'Uscire senza salvare?',
  words: 'Quello che hai scritto non è ancora salvato: se esci, va perso.',
  leave: 'Esci dalla pagina',
};

/** The button that was pressed may be far below. */
function intoView(alert: HTMLElement | null) {
  alert?.scrollIntoView({ block: 'nearest' });
}

/**
 * A form of the application, on a form of @mantine/form. Enter submits; it cannot be sent twice (`form.submitting`), and
 * the dialog around it stays open until it is answered.
 * Wrong fields, found by the form's own rules or named by the server's answer, show their message next to them, are
 * counted aloud, and the first of them gets the focus. A failure that names no field is shown above the form. The dialog of
 * a record that somebody else has deleted closes. What a lost session interrupts is there again after the login.
 * @param form give it `validate: schemaResolver(schema, { sync: true })` with the schema of contract/
 * @param onSubmit sends the values; rejects with ApiError
 */
export function AppForm<Values, Transformed = Values>({
  form,
  onSubmit,
  onInvalid,
  label,
  record = '',
  kept,
  restored,
  wrongWords = wrongFields,
  children,
}: {
  form: UseFormReturnType<Values, Transformed>;
  onSubmit: (values: Transformed) => Promise<unknown>;
  /** Told of the fields that the form's own rules refuse, path → message, each time it is sent. */
  onInvalid?: (errors: FormErrors) => void;
  /** Accessible name, where no heading names the form. */
  label?: string;
  /** The id of the record it changes, where a page changes several: what was typed for one is not handed to another. */
  record?: string | number;
  /** Of a form with a draft: whether what is typed is there again when it is opened next, so that leaving it loses nothing. */
  kept?: boolean;
  /** Of a form with a draft: whether it began with what was typed before, which may be lost though nothing was changed since. */
  restored?: boolean;
  /** What is said of so many wrong fields, where a form is not in Italian. */
  wrongWords?: (count: number) => string;
  children: ReactNode;
}) {
  const client = useQueryClient();
  useKeptForm(form, `${label ?? ''} ${record}`, kept !== undefined);
  const host = use(WarningHostContext);
  const unsent = host?.close ? UNSENT_IN_DIALOG : UNSENT_IN_PAGE;
  useLeaveWarning(!kept && (restored || form.isDirty()) ? unsent : null);
  useHeldOpen(form.submitting);
  const element = useRef<HTMLFormElement>(null);
  const forget = useRef(() => {});
  const sending = useRef(false);
  const pressedIn = useRef<HTMLElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  /** Another object each time that it is sent, so that the first wrong field gets the focus each time. */
  const [wrong, setWrong] = useState<{ count: number } | null>(null);

  useEffect(() => {
    if (wrong) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [wrong]);

  // What it was sent from may have been disabled meanwhile, or have gone, which leaves the focus to nothing.
  useEffect(() => {
    if (failure === null || form.submitting || document.activeElement !== document.body) return;
    const target = pressedIn.current?.isConnected
      ? pressedIn.current
      : element.current?.querySelector<HTMLElement>(':is(input, textarea, select):enabled');
    target?.focus({ preventScroll: true });
  }, [failure, form.submitting]);

  async function send(values: Transformed) {
    setFailure(null);
    setWrong(null);
    sending.current = true;
    try {
      await onSubmit(values);
    } catch (error) {
      noticeEndedSession(client, error);
      if (record !== '' && host?.close && isGone(error)) {
        toastGone(error);
        host.close();
        return;
      }
      const fields = error instanceof ApiError ? error.fields : {};
      const count = Object.keys(fields).length;
      if (count > 0) {
        form.setErrors(fields);
        setWrong({ count });
      }
      // With its fields marked, the general message of a wrong input would say nothing more.
      const said = error instanceof ApiError && error.code === 'invalid_input' && count > 0;
      if (!said) setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      sending.current = false;
    }
  }

  const check = form.onSubmit(send, (errors) => {
    setFailure(null);
    onInvalid?.(errors);
    setWrong({ count: Object.keys(errors).length });
  });

  /** All rules and all fields: longer than whoever pressed should wait for a sign of it. */
  function submit(event: SubmitEvent) {
    event.preventDefault();
    pressedIn.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    // Pressed twice before the button is busy, it is sent once.
    forget.current();
    forget.current = afterPaint(() => !sending.current && check());
  }

  return (
    <form ref={element} noValidate aria-label={label} onSubmit={submit}>
      <span className="visually-hidden" role="status">
        {wrong && wrongWords(wrong.count)}
      </span>
      {failure && (
        <Alert color="red" role="alert" mb="md" ref={intoView}>
          {failure}
        </Alert>
      )}
      {children}
    </form>
  );
}
