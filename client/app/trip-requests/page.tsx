import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { afterPaint } from '#client/lib/after-paint.ts';
import { ApiError } from '#client/lib/api.ts';
import type { Attempt } from '#client/lib/idempotency.ts';
import { tripRequestPath } from '#client/lib/record-paths.ts';
import { toast } from '#client/lib/toast.ts';
import { breakable } from '#client/ui/breakable.tsx';
import { isCovered } from '#client/ui/cover.ts';
import { Link } from '#client/ui/link.tsx';
import { PageHeader, PageLinks } from '#client/ui/page-header.tsx';
import { RestoredNotice } from '#client/ui/restored-notice.tsx';
import { useWizard, WizardFrame, type WizardWords } from '#client/ui/wizard.tsx';
import {
  REDIRECT_AFTER_SENDING_MS,
  TRIP_REQUEST_STEPS,
  TRIP_REQUEST_TEXTS,
  type TripRequest,
  type TripRequestDetail,
  tripRequestSchema,
} from '#contract/trip-requests.ts';
import { projectNamesQuery, useSendTripRequest } from './api.ts';
import { errorsOf, useLastTripRequest, useTripRequestDraft } from './draft.ts';
import styles from './page.module.css';
import { TripSummary } from './trip-summary.tsx';
import { AccommodationStep, BasicsStep, ContactsStep, RequirementsStep } from './wizard-steps.tsx';

const WORDS: WizardWords = {
  position: (step, of) => `Step ${step} di ${of}`,
  progress: 'Avanzamento della richiesta',
  back: 'Indietro',
  next: 'Continua',
  send: 'Invia Richiesta',
  sending: 'Invio in corso...',
};

/** The confirmation after a request was sent, until /app/home opens (spec §4). */
function Sent({ request: { id, email } }: { request: TripRequestDetail }) {
  const navigate = useNavigate();
  // Another page may take longer to load than the remaining time; do not redirect away from it.
  const leaving = useNavigation().location !== undefined;
  const [reading, setReading] = useState(false);
  const words = useId();
  const confirmation = useRef<HTMLDivElement>(null);
  useEffect(() => confirmation.current?.focus(), []);
  useEffect(() => {
    if (leaving || reading) return;
    // Not while something is typed into the search or chosen in the menu above the page, but as long after it.
    const timer = setInterval(() => !isCovered() && navigate('/app/home'), REDIRECT_AFTER_SENDING_MS);
    return () => clearInterval(timer);
  }, [navigate, leaving, reading]);
  return (
    <Paper
      ref={confirmation}
      tabIndex={-1}
      role="group"
      aria-labelledby={words}
      withBorder
      className={styles.sent}
    >
      <IconCircleCheck size={48} stroke={1.5} className={styles.sentIcon} aria-hidden="true" />
      <Text id={words}>Ne abbiamo mandato una copia a {breakable(email)}. Ora ti riportiamo alla Home.</Text>
      <Button
        component={Link}
        to={tripRequestPath(id)}
        variant="default"
        // No redirect while the link has the focus, because the user may be about to follow it.
        onFocus={() => setReading(true)}
        onBlur={() => setReading(false)}
      >
        Vedi la richiesta
      </Button>
    </Paper>
  );
}

const NO_NAMES: readonly string[] = [];

/** Whether the form itself, or the login, reports the failure. */
function isSaidElsewhere(error: unknown): boolean {
  return (
    error instanceof ApiError && (Object.keys(error.fields).length > 0 || error.code === 'unauthenticated')
  );
}

function TripRequestWizard({
  anew,
  onSent,
  onRestart,
}: {
  anew: boolean;
  onSent: (request: TripRequestDetail) => void;
  onRestart: () => void;
}) {
  const draft = useTripRequestDraft(anew);
  const last = useLastTripRequest();
  const [lastRequest] = useState(() => (draft.restored ? null : last.read()));
  const { mutateAsync } = useSendTripRequest();
  const projectNames = useQuery(projectNamesQuery);

  async function send(request: TripRequest, attempt: Attempt) {
    last.store(request);
    try {
      return await mutateAsync({ request, attempt });
    } catch (error) {
      if (!isSaidElsewhere(error)) toast({ ...TRIP_REQUEST_TEXTS.failed, kind: 'error' });
      throw error;
    }
  }

  const wizard = useWizard({
    steps: TRIP_REQUEST_STEPS,
    draft,
    anew,
    errorsOf,
    contentOf: (values) => tripRequestSchema.safeParse(values).data ?? null,
    send,
    onSent: (request) => {
      toast(TRIP_REQUEST_TEXTS.sent);
      onSent(request);
    },
  });
  const { form, step, heading } = wizard;
  return (
    <div className={styles.columns}>
      <Stack gap="lg">
        {draft.restored && (
          <RestoredNotice
            onRestart={() => {
              draft.discard();
              onRestart();
            }}
          >
            {draft.values.origin ?? 'Hai ripreso la richiesta che non avevi ancora inviato.'}
          </RestoredNotice>
        )}
        {lastRequest && step === 0 && !form.isDirty() && (
          <Group gap="sm">
            <Button
              variant="default"
              leftSection={<IconHistory size={18} aria-hidden="true" />}
              onClick={() =>
                afterPaint(() => {
                  form.setValues(lastRequest);
                  heading.current?.focus();
                })
              }
            >
              Parti dall’ultima richiesta
            </Button>
          </Group>
        )}
        <WizardFrame wizard={wizard} words={WORDS}>
          {step === 0 && <BasicsStep form={form} projects={projectNames.data ?? NO_NAMES} />}
          {step === 1 && <AccommodationStep form={form} />}
          {step === 2 && <RequirementsStep form={form} />}
          {step === 3 && <ContactsStep form={form} />}
        </WizardFrame>
      </Stack>
      <div className={styles.aside}>
        <TripSummary values={form.getValues()} />
      </div>
    </div>
  );
}

/** 'Nuova Trasferta' (spec §2): the wizard that creates a trip request. */
export default function TripRequestPage() {
  const [sent, setSent] = useState<TripRequestDetail | null>(null);
  const [round, setRound] = useState(0);
  return (
    <>
      <PageHeader
        title="Nuova Trasferta"
        intro="Compila il modulo sottostante per richiedere una nuova trasferta."
        actions={
          <PageLinks>
            <Anchor component={Link} to="/app/nuova-trasferta/richieste">
              Le tue richieste
            </Anchor>
            <Anchor component={Link} to="/app/requirements" lang="en">
              Travel requirements
            </Anchor>
          </PageLinks>
        }
      />
      {sent === null ? (
        <TripRequestWizard
          key={round}
          anew={round > 0}
          onSent={setSent}
          onRestart={() => setRound(round + 1)}
        />
      ) : (
        <Sent request={sent} />
      )}
    </>
  );
}
