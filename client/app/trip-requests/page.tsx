import { Alert, Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconArrowLeft, IconArrowRight, IconCircleCheck, IconHistory, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { afterPaint } from '#client/lib/after-paint.ts';
import { ApiError } from '#client/lib/api.ts';
import { attemptOf } from '#client/lib/idempotency.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { Link } from '#client/ui/link.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { toast } from '#client/ui/toast.ts';
import {
  REDIRECT_AFTER_SENDING_MS,
  TRIP_REQUEST_STEPS,
  TRIP_REQUEST_TEXTS,
  tripRequestSchema,
} from '#contract/trip-requests.ts';
import { projectNamesQuery, useSendTripRequest } from './api.ts';
import { errorsOf, type FormValues, stepOf, useLastTripRequest, useTripRequestDraft } from './draft.ts';
import styles from './page.module.css';
import { TripSummary } from './trip-summary.tsx';
import { AccommodationStep, BasicsStep, ContactsStep, RequirementsStep } from './wizard-steps.tsx';

const LAST_STEP = TRIP_REQUEST_STEPS.length - 1;

/** Where the request stands once it is sent, until /app/home opens (spec §4). */
function Sent({ id }: { id: number }) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate('/app/home'), REDIRECT_AFTER_SENDING_MS);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <Paper withBorder className={styles.sent}>
      <IconCircleCheck size={48} stroke={1.5} className={styles.sentIcon} aria-hidden="true" />
      <Text>Te ne abbiamo mandato una copia via email. Ora ti riportiamo alla Home.</Text>
      <Button component={Link} to={`/app/nuova-trasferta/richieste/${id}`} variant="default">
        Vedi la richiesta
      </Button>
    </Paper>
  );
}

function Wizard({ onSent, onRestart }: { onSent: (id: number) => void; onRestart: () => void }) {
  const draft = useTripRequestDraft();
  const last = useLastTripRequest();
  const [lastRequest] = useState(() => (draft.restored ? null : last.read()));
  const [step, setStep] = useState(draft.values.step);
  const attempt = useRef(draft.values.attempt);
  const send = useSendTripRequest();
  const projectNames = useQuery(projectNamesQuery);
  const heading = useRef<HTMLHeadingElement>(null);

  const form = useForm<FormValues>({
    initialValues: draft.values.values,
    validate: (values) => errorsOf(values, step),
    onValuesChange: (values) => draft.keep({ values, step, attempt: attempt.current }),
  });

  function goTo(next: number) {
    draft.keep({ values: form.getValues(), step: next, attempt: attempt.current });
    // The title is read out when it gets the focus: it has to be that of the next step by then.
    flushSync(() => setStep(next));
    window.scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
  }

  /** Shows the step that holds the first of the wrong fields; AppForm then marks them. */
  function goToWrong(fields: Record<string, string>) {
    const wrong = stepOf(Object.keys(fields));
    if (wrong !== null && wrong !== step) setStep(wrong);
    throw new ApiError({ status: 422, code: 'invalid_input', message: '', fields });
  }

  async function submit(values: FormValues) {
    if (step < LAST_STEP) return goTo(step + 1);
    const errors = errorsOf(values);
    if (Object.keys(errors).length > 0) goToWrong(errors);
    const request = tripRequestSchema.parse(values);
    last.store(request);
    attempt.current = attemptOf(request, attempt.current);
    draft.keep({ values, step, attempt: attempt.current });
    try {
      const { id } = await send.mutateAsync({ request, attempt: attempt.current });
      draft.discard();
      toast(TRIP_REQUEST_TEXTS.sent);
      onSent(id);
    } catch (error) {
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) goToWrong(error.fields);
      const ended = error instanceof ApiError && error.code === 'unauthenticated';
      if (!ended) toast({ ...TRIP_REQUEST_TEXTS.failed, kind: 'error' });
      throw error;
    }
  }

  const percent = Math.round(((step + 1) / TRIP_REQUEST_STEPS.length) * 100);
  const title = TRIP_REQUEST_STEPS[step]?.title ?? '';
  return (
    <div className={styles.columns}>
      <Stack gap="lg">
        {draft.restored && (
          <Alert color="blue" icon={<IconHistory size={20} stroke={1.75} aria-hidden="true" />}>
            <Group justify="space-between" gap="sm">
              <span>Hai ripreso la richiesta che non avevi ancora inviato.</span>
              <Button
                variant="default"
                size="compact-md"
                onClick={() =>
                  afterPaint(() => {
                    draft.discard();
                    onRestart();
                  })
                }
              >
                Ricomincia da capo
              </Button>
            </Group>
          </Alert>
        )}
        {lastRequest && step === 0 && !form.isDirty() && (
          <Group gap="sm">
            <Button
              variant="default"
              leftSection={<IconHistory size={18} stroke={1.75} aria-hidden="true" />}
              onClick={() => form.setValues(lastRequest)}
            >
              Parti dall’ultima richiesta
            </Button>
          </Group>
        )}
        <Paper withBorder className={styles.card}>
          <div className={styles.progress}>
            <Group justify="space-between" mb="xs">
              <Text size="sm" fw={600}>
                Step {step + 1} di {TRIP_REQUEST_STEPS.length}
              </Text>
              <Text size="sm" c="dimmed" className="tabular">
                {percent}%
              </Text>
            </Group>
            <ProgressBar value={percent} label="Avanzamento della richiesta" />
          </div>
          <AppForm form={form} onSubmit={submit} label={title}>
            <Title order={2} size="h3" mb="lg" ref={heading} tabIndex={-1} className={styles.stepTitle}>
              {title}
            </Title>
            {step === 0 && <BasicsStep form={form} projects={projectNames.data ?? []} />}
            {step === 1 && <AccommodationStep form={form} />}
            {step === 2 && <RequirementsStep form={form} />}
            {step === 3 && <ContactsStep form={form} />}
            <div className={styles.buttons}>
              <Button
                variant="default"
                className={styles.back}
                disabled={step === 0 || form.submitting}
                leftSection={<IconArrowLeft size={18} aria-hidden="true" />}
                onClick={() =>
                  afterPaint(() => {
                    form.clearErrors();
                    goTo(Math.max(step - 1, 0));
                  })
                }
              >
                Indietro
              </Button>
              {step < LAST_STEP ? (
                <Button type="submit" rightSection={<IconArrowRight size={18} aria-hidden="true" />}>
                  Continua
                </Button>
              ) : (
                <Button
                  type="submit"
                  color="orange"
                  disabled={form.submitting}
                  leftSection={<IconSend size={18} aria-hidden="true" />}
                >
                  {form.submitting ? 'Invio in corso...' : 'Invia Richiesta'}
                </Button>
              )}
            </div>
          </AppForm>
        </Paper>
      </Stack>
      <div className={styles.aside}>
        <TripSummary values={form.getValues()} />
      </div>
    </div>
  );
}

/** 'Nuova Trasferta' (spec §2): the wizard that makes a trip request. */
export default function TripRequestPage() {
  const [sent, setSent] = useState<number | null>(null);
  const [round, setRound] = useState(0);
  return (
    <>
      <PageHeader
        title="Nuova Trasferta"
        intro="Compila il modulo sottostante per richiedere una nuova trasferta."
        actions={
          <div className={styles.links}>
            <Anchor component={Link} to="/app/nuova-trasferta/richieste">
              Le tue richieste
            </Anchor>
            <Anchor component={Link} to="/app/requirements" lang="en">
              Travel requirements
            </Anchor>
          </div>
        }
      />
      {sent === null ? (
        <Wizard key={round} onSent={setSent} onRestart={() => setRound(round + 1)} />
      ) : (
        <Sent id={sent} />
      )}
    </>
  );
}
