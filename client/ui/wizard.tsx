import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { IconArrowLeft, IconArrowRight, IconSend } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate } from 'react-router';
import { afterPaint } from '#client/lib/after-paint.ts';
import { ApiError } from '#client/lib/api.ts';
import { type Attempt, attemptOf } from '#client/lib/idempotency.ts';
import { AppForm } from './app-form.tsx';
import { ProgressBar } from './progress-bar.tsx';
import styles from './wizard.module.css';

type Fields = Record<string, string>;

/** The steps of a wizard, and the fields that each asks for. */
type Steps = readonly { title: string; fields: readonly string[] }[];

/** What is kept of a form that is not sent yet: its fields, the step it has come to (from 0), the last attempt to send it. */
export type WizardDraft<Values> = { values: Values; step: number; attempt: Attempt | null };

/** What an entry of the browser's history holds of a wizard: the step in sight, and whether the entry before shows the one before. */
type Place = { step: number; follows: boolean };

/** The place of the history's entry with this state; null when it holds none. */
function placeOf(state: unknown): Place | null {
  if (typeof state !== 'object' || state === null || !('wizard' in state)) return null;
  return state.wizard as Place;
}

/** Whether a step asks for the field with this path, or for one that it is part of. */
function asksFor({ fields }: Steps[number], path: string): boolean {
  return fields.some((field) => path === field || path.startsWith(`${field}.`));
}

/** The first step that asks for a wrong field; null when none does. */
function stepOf(steps: Steps, wrong: Fields): number | null {
  const paths = Object.keys(wrong);
  const found = steps.findIndex((step) => paths.some((path) => asksFor(step, path)));
  return found === -1 ? null : found;
}

export type Wizard<Values> = {
  steps: Steps;
  /** The step in sight, from 0. */
  step: number;
  form: UseFormReturnType<Values>;
  /** Whether what is typed is there again when it is opened next: not where another tab has taken its place. */
  kept: boolean;
  /** Whether it began with what was typed before. */
  restored: boolean;
  heading: RefObject<HTMLHeadingElement | null>;
  goBack: () => unknown;
  submit: (values: Values) => Promise<unknown>;
};

/**
 * A form in steps, kept until it is sent. The ways back and forward of the browser lead through the steps. Each step is judged as it is left, all of them before the form is sent; where
 * something is wrong, also in the eyes of the server or in what was kept for days, the step that asks for it is shown.
 * @param draft where it is kept: `useDraft` with a WizardDraft
 * @param anew whether it takes the place of one that was sent or given up: what was pressed has gone with that
 * @param errorsOf messages of the wrong fields of the whole form, field path → message
 * @param settle the same values, with what is only half entered in its place: for a sound step that is left
 * @param contentOf what is sent of sound values
 * @param send sends it; the same content sent again has the same attempt. Rejects with ApiError
 * @param onSent told once it is sent
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
}: {
  steps: Steps;
  draft: {
    values: WizardDraft<Values>;
    restored: boolean;
    isSafe: boolean;
    isOthers: () => boolean;
    keep: (draft: WizardDraft<Values>) => void;
    discard: () => void;
  };
  anew?: boolean;
  errorsOf: (values: Values) => Fields;
  settle?: (values: Values) => Values;
  contentOf: (values: Values) => Content;
  send: (content: Content, attempt: Attempt) => Promise<Sent>;
  onSent: (sent: Sent) => void;
}): Wizard<Values> {
  const location = useLocation();
  const navigate = useNavigate();
  const place = placeOf(location.state);
  const [start] = useState(() => {
    const { values, step: keptStep } = draft.values;
    // An entry of the history may be of a form that was sent or given up meanwhile: what is kept says where it stands.
    const step = draft.restored ? keptStep : 0;
    const wrong = stepOf(steps, errorsOf(values)) ?? step;
    return wrong < step ? { step: wrong, errors: errorsAt(values, wrong) } : { step, errors: {} };
  });
  const [step, setStep] = useState(start.step);
  const attempt = useRef(draft.values.attempt);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useForm<Values>({
    initialValues: draft.values.values,
    initialErrors: start.errors,
    validate: (values) => errorsAt(values, step),
    onValuesChange: (values) => draft.keep({ values, step, attempt: attempt.current }),
  });

  function errorsAt(values: Values, index: number): Fields {
    const asked = steps[index];
    return Object.fromEntries(
      Object.entries(errorsOf(values)).filter(([path]) => asked && asksFor(asked, path)),
    );
  }

  function keepStep(next: number) {
    draft.keep({ values: form.getValues(), step: next, attempt: attempt.current });
  }

  function note(next: Place, replace: boolean) {
    const { pathname, search, state } = location;
    void navigate({ pathname, search }, { replace, state: { ...state, wizard: next } });
  }

  function goToTitle() {
    window.scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (anew) goToTitle();
  }, []);

  function show(next: number) {
    form.clearErrors();
    keepStep(next);
    // The title is read out when it gets the focus: it has to be that of the next step by then.
    flushSync(() => setStep(next));
    goToTitle();
  }

  function goOn() {
    form.setValues(settle(form.getValues()));
    show(step + 1);
    note({ step: step + 1, follows: true }, false);
  }

  /** The step that a way back is to show; null where nobody has asked for one. */
  const wanted = useRef<number | null>(null);

  function goBack() {
    if (place?.follows && place.step === step) {
      wanted.current = step - 1;
      return navigate(-1);
    }
    show(step - 1);
    note({ step: step - 1, follows: false }, true);
  }

  const arrived = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each entry of the history that is come to
  useEffect(() => {
    const opened = !arrived.current;
    arrived.current = true;
    // Where there is no step to be shown, or another one than could be, the entry takes note of what is.
    if (place === null || (opened && place.step !== step)) return note({ step, follows: false }, true);
    // The entry may have come to show another step since the next one was made: one before it was wrong.
    const asked = wanted.current ?? place.step;
    wanted.current = null;
    if (opened || (asked === step && place.step === step)) return;
    const wrong = stepOf(steps, errorsOf(form.getValues()));
    const next = Math.min(asked, wrong ?? asked);
    // Not within the effect: React would still be rendering.
    queueMicrotask(() => {
      if (next !== step) show(next);
      // Otherwise the way back would lead from the next step to the one that this entry could not show.
      if (next !== place.step) note({ step: next, follows: false }, true);
    });
  }, [location.key]);

  /** Shows the step that asks for the first of the wrong fields; AppForm then marks them. */
  function goToWrong(fields: Fields, message: string): never {
    const wrong = stepOf(steps, fields);
    // Nothing of it is in the form, so it is said in full.
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
    const errors = errorsOf(values);
    const [first] = Object.values(errors);
    if (first !== undefined) goToWrong(errors, first);
    const content = contentOf(values);
    const current = attemptOf(content, attempt.current);
    attempt.current = current;
    // What another tab fills in meanwhile is the next one to be sent: it is not replaced by what is about to be.
    if (!draft.isOthers()) draft.keep({ values, step, attempt: current });
    const sent = await send(content, current).catch((error: unknown) => {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0)
        goToWrong(error.fields, error.message);
      throw error;
    });
    draft.discard();
    onSent(sent);
  }

  const { isSafe: kept, restored } = draft;
  return { steps, step, form, kept, restored, heading, goBack, submit };
}

/** What the frame of a wizard says. */
export type WizardWords = {
  /** 'Step 1 di 4'. */
  position: (step: number, of: number) => string;
  /** Accessible name of the bar that shows how far it is. */
  progress: string;
  back: string;
  next: string;
  send: string;
  sending: string;
  /** What is said of so many wrong fields; Italian unless given. */
  wrong?: (count: number) => string;
};

/** The frame of a wizard: how far it is, the fields of the step in sight, the ways back and on. */
export function WizardFrame<Values extends object>({
  wizard: { steps, step, form, kept, restored, heading, goBack, submit },
  words,
  children,
}: {
  wizard: Wizard<Values>;
  words: WizardWords;
  /** The fields of the step in sight. */
  children: ReactNode;
}) {
  const percent = Math.round(((step + 1) / steps.length) * 100);
  const title = steps[step]?.title ?? '';
  return (
    <Paper withBorder className={styles.card}>
      <div className={styles.progress}>
        <Group justify="space-between" mb="xs">
          <Text size="sm" fw={600}>
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
        <Title order={2} size="h3" mb="lg" ref={heading} tabIndex={-1} className={styles.stepTitle}>
          {title}
        </Title>
        {children}
        <div className={styles.buttons}>
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
