import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useParams } from 'react-router';
import { ApiError } from '#client/lib/api.ts';
import { isGone } from '#client/lib/failures.ts';
import { useKeptState } from '#client/lib/kept-forms.ts';
import { toast, toastFailure } from '#client/lib/toast.ts';
import { DOT } from '#client/lib/words.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { Link } from '#client/ui/link.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import { Section } from '#client/ui/section.tsx';
import { period } from '#contract/dates.ts';
import { spokenPhone } from '#contract/phones.ts';
import {
  NEXT_STEP,
  TRIP_REQUEST_LIMITS,
  type TripRequestDetail,
  type TripRequestState,
} from '#contract/trip-requests.ts';
import { provider } from '#provider';
import { tripRequestQuery, useWithdrawTripRequest } from './api.ts';
import { startingFrom } from './draft.ts';
import styles from './request-view.module.css';
import {
  BackToList,
  MissingRequest,
  RequestContent,
  RequestHeader,
  RequestHistory,
  RequestSkeleton,
} from './request-view.tsx';
import { StartButton } from './start-button.tsx';

const WIZARD = '/app/nuova-trasferta';

function WithdrawButton({ request }: { request: TripRequestDetail }) {
  const [asking, setAsking] = useKeptState('withdrawal', false);
  const [note, setNote] = useKeptState('withdrawal note', '');
  const withdraw = useWithdrawTripRequest();
  return (
    <>
      <Button variant="default" c="red" onClick={() => setAsking(true)}>
        Annulla richiesta
      </Button>
      <ConfirmDialog
        opened={asking}
        title={`Annullare la richiesta per ${request.citta}?`}
        confirmLabel="Annulla la richiesta"
        cancelLabel="Torna indietro"
        busyLabel="Annullamento in corso..."
        onConfirm={async () => {
          try {
            await withdraw.mutateAsync({ id: request.id, note });
          } catch (error) {
            if (!(error instanceof ApiError && error.status === 409)) throw error;
            // The dialog disappears when the page is reloaded with the new state; a toast outlives it.
            toastFailure(error);
            return;
          }
          toast({ title: 'Richiesta annullata', message: 'Abbiamo avvisato chi la stava seguendo.' });
        }}
        onClose={() => setAsking(false)}
        field={
          <Textarea
            label="Motivo (facoltativo)"
            data-autofocus
            autosize
            minRows={2}
            maxLength={TRIP_REQUEST_LIMITS.nota}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        }
      >
        Non cercheremo più alloggi per questa trasferta. Potrai sempre duplicarla.
      </ConfirmDialog>
    </>
  );
}

/** How the request goes on, and how to reach support about it. */
function NextStep({ state }: { state: TripRequestState }) {
  const step = NEXT_STEP[state];
  if (step === null) return null;
  const { phone } = provider.support;
  return (
    <Stack gap="sm" mb="lg">
      <Text>{step}</Text>
      <Group gap="xs">
        {state === 'Confermata' && (
          <Button component="a" href={`tel:${phone}`} variant="default">
            {spokenPhone(phone)}
          </Button>
        )}
        <Button component={Link} to="/app/support" variant="default">
          Scrivi al supporto
        </Button>
      </Group>
    </Stack>
  );
}

/** One of the customer's requests with its history. */
export default function TripRequestDetailPage() {
  const { id = '' } = useParams();
  const query = useQuery(tripRequestQuery(id));
  const request = isGone(query.error) ? undefined : query.data;
  return (
    <>
      <BackToList list={`${WIZARD}/richieste`}>Le tue richieste</BackToList>
      <RequestHeader
        request={request}
        waiting={!query.error}
        intro={
          request && (
            <>
              <bdi>{request.progetto}</bdi>
              {DOT}
              {period(request.dataInizio, request.dataFine)}
            </>
          )
        }
        actions={
          request && (
            <Fragment key={request.id}>
              {request.canWithdraw && <WithdrawButton request={request} />}
              <StartButton
                icon={IconCopy}
                loss="Hai iniziato una richiesta che non hai ancora inviato: duplicando questa, quella andrà persa."
                begin={() => startingFrom(request)}
              >
                Duplica
              </StartButton>
            </Fragment>
          )
        }
      />
      <Loaded
        query={query}
        skeleton={<RequestSkeleton />}
        errorTitle="Richiesta non disponibile"
        missing={<MissingRequest list={`${WIZARD}/richieste`} label="Vedi le tue richieste" />}
      >
        {(shown) => (
          <div className={styles.columns}>
            {/* The history is what customers come back for, so it is first on a phone and for screen readers. */}
            <Section title="A che punto è">
              <Paper withBorder className={styles.box}>
                <NextStep state={shown.state} />
                <RequestHistory events={shown.events} viewer="customer" />
              </Paper>
            </Section>
            <div className={styles.asked}>
              <Section title="La richiesta">
                <RequestContent request={shown} />
              </Section>
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}
