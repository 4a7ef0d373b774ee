import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { IconArrowLeft, IconArrowRight, IconSend } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { afterPaint } from '#client/lib/after-paint.ts';
import { ApiError } from '#client/lib/api.ts';
import { type Attempt, attemptOf } from '#client/lib/idempotency.ts';
import { AppForm } from './app-form.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { useStepHistory } from './step-history.ts';
import styles from './wizard.module.css';

type Fields = Record<string, string>;

/** The steps of a wizard, with the fields of each. */
type Steps = readonly { title: string; fields: readonly string[] }[];

/** The stored draft of a form: its values, the current step (from 0) and the last attempt to submit it. */
export type WizardDraft<Values> = { values: Values; step: number; attempt: Attempt | null };

/** A draft, as `useDraft` keeps it. */
type KeptDraft<Values> = {
  values: WizardDraft<Values>;
  restored: boolean;
  isSafe: boolean;
  isOthers: () => boolean;
  onOthers: (listener: (draft: Record<string, unknown>) => void) => () => void;
  keep: (draft: WizardDraft<Values>) => void;
  discard: () => void;
};

/** Whether a step contains the field with this path, or a field that the path is part of. */
function asksFor({ fields }: Steps[number], path: string): boolean {
  return fields.some((field) => path === field || path.startsWith(`${field}.`));
}

/** The messages of the fields of one step. */
function errorsOn(step: Steps[number] | undefined, wrong: Fields): Fields {
  return Object.fromEntries(Object.entries(wrong).filter(([path]) => step && asksFor(step, path)));
}

/** The first step with an invalid field; null when there is none. */
function stepOf(steps: Steps, wrong: Fields): number | null {
  const paths = Object.keys(wrong);
  const found = steps.findIndex((step) => paths.some((path) => asksFor(step, path)));
  return found === -1 ? null : found;
}

export type Wizard<Values> = {
  steps: Steps;
  /** The visible step, from 0. */
  step: number;
  form: UseFormReturnType<Values>;
  /** Whether the input is restored when the form is opened again; not if another tab has overwritten the draft. */
  kept: boolean;
  /** Whether it started with restored input. */
  restored: boolean;
  heading: RefObject<HTMLHeadingElement | null>;
  goBack: () => unknown;
  submit: (values: Values) => Promise<unknown>;
};

/** The attempts to submit a draft, here or in another tab that fills in the same one. */
function useAttempts<Values>({ values, onOthers }: KeptDraft<Values>) {
  const last = useRef(values.attempt);
  /** The last attempt of another tab. */
  const elsewhere = useRef<Attempt | null>(null);
  useEffect(
    () =>
      onOthers((other) => {
        elsewhere.current = (other as WizardDraft<Values>).attempt ?? elsewhere.current;
      }),
    [onOthers],
  );
  /** The attempt to send this content with; it is the last one then. */
  function attemptFor(content: unknown): Attempt {
    // What another tab has sent of the same draft is not sent twice.
    const sent = elsewhere.current?.content === JSON.stringify(content) ? elsewhere.current : null;
    const attempt = sent ?? attemptOf(content, last.current);
    last.current = attempt;
    return attempt;
  }
  return { last, attemptFor };
}

type WizardOptions<Values, Content, Sent> = {
  steps: Steps;
  /** Where it is stored: `useDraft` with a WizardDraft. */
  draft: KeptDraft<Values>;
  /** Whether it replaces a form that was submitted or discarded, together with the button pressed there. */
  anew?: boolean;
  /** Messages of all invalid fields of the form, field path → message. */
  errorsOf: (values: Values) => Fields;
  /** Completes half-entered values when a valid step is left. */
  settle?: (values: Values) => Values;
  /** The content to send; null while the values are invalid. */
  contentOf: (values: Values) => Content | null;
  /** Sends the content; the same content gets the same attempt again. Rejects with ApiError. */
  send: (content: Content, attempt: Attempt) => Promise<Sent>;
  /** Called after submission. */
  onSent: (sent: Sent) => void;
};

/**
 * Where a form opens: at the step of its draft, or at an earlier one that is invalid by now. The history entry may belong
 * to a form that was submitted or discarded since; the draft has the current step.
 */
function startOf<Values>(steps: Steps, { values, restored }: KeptDraft<Values>, errors: Fields) {
  const step = restored ? values.step : 0;
  const wrong = stepOf(steps, errors) ?? step;
  return wrong < step ? { step: wrong, errors: errorsOn(steps[wrong], errors) } : { step, errors: {} };
}

/**
 * A form in steps, kept as a draft until it is submitted. The browser's back and forward buttons move between steps.
 * Each step is validated when it is left, and all of them before submission; if something is invalid, also according to
 * the server or in an old draft, the step with the field is shown.
 */
export function useWizard<Values extends object, Content, Sent>({
  steps,
  draft,
  anew = false,
  errorsOf,
  settle = (values) => values,
  contentOf,
  send,
  onSent,
}: WizardOptions<Values, Content, Sent>): Wizard<Values> {
  const [start] = useState(() => startOf(steps, draft, errorsOf(draft.values.values)));
  const [step, setStep] = useState(start.step);
  const { last, attemptFor } = useAttempts(draft);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useForm<Values>({
    initialValues: draft.values.values,
    initialErrors: start.errors,
    validate: (values) => errorsOn(steps[step], errorsOf(values)),
    onValuesChange: (values) => draft.keep({ values, step, attempt: last.current }),
  });

  function keepStep(next: number) {
    draft.keep({ values: form.getValues(), step: next, attempt: last.current });
  }

  function goToTitle() {
    window.scrollTo({ top: 0 });
    // Scrolls on to it where it is not in view then, below a notice in a low window.
    heading.current?.focus();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (anew) goToTitle();
  }, []);

  function show(next: number) {
    form.clearErrors();
    keepStep(next);
    // The title is read out on focus, so it must already be the next step's.
    flushSync(() => setStep(next));
    goToTitle();
  }

  const { note, goBack } = useStepHistory(
    step,
    show,
    (asked) => Math.min(asked, stepOf(steps, errorsOf(form.getValues())) ?? asked),
    anew,
  );

  function goOn() {
    form.setValues(settle(form.getValues()));
    show(step + 1);
    note({ step: step + 1, follows: true }, false);
  }

  /** Shows the step with the first invalid field; AppForm then marks the fields. */
  function goToWrong(fields: Fields, message: string): never {
    const wrong = stepOf(steps, fields);
    // The form has none of these fields, so show the whole message.
    if (wrong === null) throw new Error(message);
    if (wrong !== step) {
      keepStep(wrong);
      setStep(wrong);
      note({ step: wrong, follows: false }, false);
    }
    throw new ApiError({ status: 422, code: 'invalid_input', message, fields });
  }

  async function submit(values: Values) {
    if (step < steps.length - 1) return goOn();
    const content = contentOf(values);
    const isRepeated = content !== null && last.current?.content === JSON.stringify(content);
    // The server decides about content that it may already have: a date in it can have passed since.
    const errors = isRepeated ? {} : errorsOf(values);
    const [first] = Object.values(errors);
    if (content === null || first !== undefined) return goToWrong(errors, first ?? '');
    const attempt = attemptFor(content);
    // Input from another tab is the next form to be submitted and must not be overwritten by this one.
    if (!draft.isOthers()) draft.keep({ values, step, attempt });
    const answered = await send(content, attempt).catch((error: unknown) => {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0)
        goToWrong(error.fields, error.message);
      throw error;
    });
    draft.discard();
    onSent(answered);
  }

  const { isSafe: kept, restored } = draft;
  return { steps, step, form, kept, restored, heading, goBack, submit };
}

/** Texts of a wizard's frame. */
export type WizardWords = {
  /** 'Step 1 di 4'. */
  position: (step: number, of: number) => string;
  /** Accessible name of the progress bar. */
  progress: string;
  back: string;
  next: string;
  send: string;
  sending: string;
  /** The announcement of wrong fields; Italian by default. */
  wrong?: (count: number) => string;
};

/** Of a double click only the first: the second would press the button that the next step has in the same place. */
function keepFirstClick(event: MouseEvent) {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

/** The frame of a wizard: progress, the fields of the visible step, and the buttons to go back and on. */
export function WizardFrame<Values extends object>({
  wizard: { steps, step, form, kept, restored, heading, goBack, submit },
  words,
  children,
}: {
  wizard: Wizard<Values>;
  words: WizardWords;
  /** The fields of the visible step. */
  children: ReactNode;
}) {
  const percent = Math.round(((step + 1) / steps.length) * 100);
  const title = steps[step]?.title ?? '';
  const position = useId();
  return (
    <Paper withBorder className={styles.card}>
      <div className={styles.progress}>
        <Group justify="space-between" mb="xs">
          <Text size="sm" fw={600} id={position}>
            {words.position(step + 1, steps.length)}
          </Text>
          <Text size="sm" c="dimmed" className="tabular">
            {percent}%
          </Text>
        </Group>
        <ProgressBar value={percent} label={words.progress} />
      </div>
      <AppForm
        form={form}
        onSubmit={submit}
        label={title}
        kept={kept}
        restored={restored}
        wrongWords={words.wrong}
      >
        {/* With each step it gets the focus, and the position is above it. */}
        <Title order={2} size="h3" mb="lg" ref={heading} tabIndex={-1} aria-describedby={position}>
          {title}
        </Title>
        {children}
        <div className={styles.buttons} onClickCapture={keepFirstClick}>
          <Button
            variant="default"
            className={styles.back}
            disabled={step === 0 || form.submitting}
            leftSection={<IconArrowLeft size={18} aria-hidden="true" />}
            onClick={() => afterPaint(goBack)}
          >
            {words.back}
          </Button>
          {step < steps.length - 1 ? (
            <Button type="submit" rightSection={<IconArrowRight size={18} aria-hidden="true" />}>
              {words.next}
            </Button>
          ) : (
            <Button
              type="submit"
              color="orange"
              data-disabled={form.submitting}
              leftSection={<IconSend size={18} aria-hidden="true" />}
            >
              {form.submitting ? words.sending : words.send}
            </Button>
          )}
        </div>
      </AppForm>
    </Paper>
  );
}
