import { Alert } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import {
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { afterPaint } from '#client/lib/after-paint.ts';
import { ApiError } from '#client/lib/api.ts';
import { isGone, toastGone } from '#client/lib/failures.ts';
import type { FormNames } from '#client/lib/form-errors.ts';
import { useKeptForm } from '#client/lib/kept-forms.ts';
import { noticeEndedSession } from '#client/lib/session.ts';
import { intoView } from './into-view.ts';
import { type LeaveWarning, useKeepOpen, useLeaveWarning, WarningHostContext } from './leave-warning.ts';
import { focusFirstWrong, wrongFields } from './wrong-fields.ts';

/** Failures that say nothing beyond what their fields say. */
const ABOUT_FIELDS: ReadonlySet<string> = new Set(['invalid_input', 'malformed_text']);

/** The warning about unsaved input, in a dialog and on a page. */
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

/**
 * A form of the application, based on @mantine/form. Enter submits it; it cannot be submitted twice
 * (`form.submitting`), and the dialog around it stays open until the response arrives.
 * Invalid fields, whether found by the form's rules or by the server, show their message; their number is announced to
 * screen readers, and the first one gets the focus; if it already has it, its message is announced too. A failure without
 * fields is shown above the form. If the record was deleted by somebody else, its dialog closes. Input interrupted by a
 * lost session is restored after the login.
 * @param form give it `validate: schemaResolver(schema, { sync: true })` with the schema of contract/
 * @param onSubmit sends the values; rejects with ApiError
 */
export function AppForm<Values, Transformed = Values>({
  form,
  onSubmit,
  onInvalid,
  label,
  names = {},
  record = '',
  kept,
  restored,
  wrongWords = wrongFields,
  children,
}: {
  form: UseFormReturnType<Values, Transformed>;
  onSubmit: (values: Transformed) => Promise<unknown>;
  /** Called on each submission with the fields that violate the form's own rules, path → message. */
  onInvalid?: (errors: FormErrors) => void;
  /** Accessible name, for a form without a heading. */
  label?: string;
  /** For the messages of the server. */
  names?: FormNames;
  /** The id of the edited record, on a page that edits several, so that input for one is not restored into another. */
  record?: string | number;
  /**
   * For a form with a draft: whether the input will be there when the form is opened again, so that leaving loses
   * nothing.
   */
  kept?: boolean;
  /**
   * For a form with a draft: whether it started with restored input, which can be lost even without further changes.
   */
  restored?: boolean;
  /** The announcement of wrong fields, for a form that is not in Italian. */
  wrongWords?: (count: number) => string;
  children: ReactNode;
}) {
  const client = useQueryClient();
  useKeptForm(form, `${label ?? ''} ${record}`, kept !== undefined);
  const host = use(WarningHostContext);
  const unsent = host?.close ? UNSENT_IN_DIALOG : UNSENT_IN_PAGE;
  useLeaveWarning(!kept && (restored || form.isDirty()) ? unsent : null);
  useKeepOpen(form.submitting);
  const element = useRef<HTMLFormElement>(null);
  const forget = useRef(() => {});
  const sending = useRef(false);
  const [failure, setFailure] = useState<string | null>(null);
  const pressedIn = useFocusInForm(element, form.submitting, failure !== null && !form.submitting);
  /** A new object per submission, so that the first wrong field gets the focus each time. */
  const [wrong, setWrong] = useState<{ count: number; at: number } | null>(null);

  const [said, setSaid] = useState<{ at: number; words: string } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once per submission
  useEffect(() => {
    if (!wrong) return setSaid(null);
    const message = focusFirstWrong(element.current);
    setSaid({ at: wrong.at, words: `${wrongWords(wrong.count)} ${message}`.trim() });
  }, [wrong]);
  const stillWrong = Object.keys(form.errors).length;
  useEffect(() => {
    // A screen reader would find it later among the fields, where it is true no longer.
    if (wrong && stillWrong < wrong.count) setWrong(null);
  }, [wrong, stillWrong]);

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
      const refused = Object.entries(error instanceof ApiError ? error.fields : {});
      const fields = Object.fromEntries(refused.map(([field, words]) => [names[field] ?? field, words]));
      const count = Object.keys(fields).length;
      if (count > 0) {
        form.setErrors(fields);
        setWrong({ count, at: Date.now() });
      }
      const message = error instanceof Error ? error.message : String(error);
      const said = error instanceof ApiError && ABOUT_FIELDS.has(error.code) && count > 0;
      // What a marked field of this form says is neither shown nor announced a second time.
      const asked = Object.keys(form.getValues() as object);
      if (!said && !asked.some((field) => fields[field] === message)) setFailure(message);
    } finally {
      sending.current = false;
    }
  }

  const check = form.onSubmit(send, (errors) => {
    setFailure(null);
    onInvalid?.(errors);
    setWrong({ count: Object.keys(errors).length, at: Date.now() });
  });

  /**
   * Validates and submits after the next frame, because checking all rules and rendering all fields may take longer
   * than a frame.
   */
  function submit(event: SubmitEvent) {
    event.preventDefault();
    pressedIn.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    // A second press before the button is busy must not submit twice.
    forget.current();
    forget.current = afterPaint(() => !sending.current && check());
  }

  return (
    <form ref={element} noValidate aria-label={label} onSubmit={submit}>
      <span className="visually-hidden" role="status">
        {/* A new element is announced even if it says the same again. */}
        {said && <span key={said.at}>{said.words}</span>}
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

/** Whether one of `elements` has the focus. */
const isOn = (...elements: (Element | null)[]) => elements.includes(document.activeElement);

/**
 * Keeps the focus in the form. While it is being sent, what was pressed may be disabled and would lose the focus, so that
 * the next Tab could move behind the dialog: the busy button has it meanwhile. Once the submission has failed, it returns to
 * what was pressed, or to the first field if that was removed.
 * @returns where to note what was pressed
 */
function useFocusInForm(form: RefObject<HTMLFormElement | null>, sending: boolean, failed: boolean) {
  const pressedIn = useRef<HTMLElement>(null);
  const keeper = useRef<HTMLElement>(null);
  // A layout effect, because the browser takes the focus off what is disabled in the next frame.
  useLayoutEffect(() => {
    const pressed = pressedIn.current;
    if (!sending || !pressed?.matches(':disabled') || !isOn(pressed, document.body)) return;
    keeper.current = form.current?.querySelector<HTMLElement>('[type=submit][aria-disabled=true]') ?? null;
    keeper.current?.focus({ preventScroll: true });
  }, [form, sending]);
  useEffect(() => {
    if (!failed || !isOn(keeper.current, document.body)) return;
    const target = pressedIn.current?.isConnected
      ? pressedIn.current
      : form.current?.querySelector<HTMLElement>(':is(input, textarea, select):enabled');
    target?.focus({ preventScroll: true });
  }, [form, failed]);
  return pressedIn;
}
