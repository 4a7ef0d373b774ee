import { Anchor, Button, Paper, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useParams } from 'react-router';
import { isGone, toastGone } from '#client/lib/failures.ts';
import { type Attempt, attemptOf } from '#client/lib/idempotency.ts';
import { accountPath, customerRequestsPath } from '#client/lib/record-paths.ts';
import { toast } from '#client/lib/toast.ts';
import { DOT } from '#client/lib/words.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { breakable } from '#client/ui/breakable.tsx';
import { NativeSelect, Textarea } from '#client/ui/inputs.tsx';
import { Link } from '#client/ui/link.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import { pageTitle } from '#client/ui/opener.ts';
import { Section } from '#client/ui/section.tsx';
import { period } from '#contract/dates.ts';
import { ERRORS } from '#contract/errors.ts';
import {
  type ManagedTripRequestDetail,
  TRIP_REQUEST_LIMITS,
  TRIP_REQUEST_STATES,
} from '#contract/trip-requests.ts';
import { AdminOnly } from './admin-only.tsx';
import { managedTripRequestQuery, useChangeTripRequestState } from './api.ts';
import styles from './request-view.module.css';
import {
  BackToList,
  MissingRequest,
  RequestContent,
  RequestHeader,
  RequestHistory,
  RequestSkeleton,
} from './request-view.tsx';

function StateForm({ request }: { request: ManagedTripRequestDetail }) {
  const change = useChangeTripRequestState();
  const attempt = useRef<Attempt | null>(null);
  const form = useForm({
    initialValues: { state: request.state, note: '' },
    validate: ({ state, note }) =>
      state === request.state && note.trim() === '' ? { state: ERRORS.trip_request_unchanged.message } : {},
  });
  // If somebody else sets the state meanwhile, it becomes the new starting point; input in this form is kept.
  const known = useRef(request.state);
  const { setFieldValue, getValues, resetDirty } = form;
  useEffect(() => {
    if (known.current === request.state) return;
    if (getValues().state === known.current) setFieldValue('state', request.state);
    resetDirty({ state: request.state, note: '' });
    known.current = request.state;
  }, [request.state, getValues, setFieldValue, resetDirty]);
  return (
    <AppForm
      form={form}
      label="Aggiorna la richiesta"
      onSubmit={async ({ state, note }) => {
        // `from` is left out: if the change was made but its response lost, `from` is different in the repeat.
        attempt.current = attemptOf({ state, note }, attempt.current);
        try {
          await change.mutateAsync({
            id: request.id,
            change: { from: request.state, state, note },
            attempt: attempt.current,
          });
        } catch (error) {
          if (!isGone(error)) throw error;
          // The form has disappeared, and with it the place for its failure and the focus.
          toastGone(error);
          pageTitle()?.focus();
          return;
        }
        attempt.current = null;
        // What was typed since belongs to the next change.
        if (getValues().note === note) setFieldValue('note', '');
        resetDirty({ state, note: '' });
        toast({ title: 'Richiesta aggiornata', message: `Abbiamo scritto a ${request.email}.` });
      }}
    >
      <Stack>
        <NativeSelect label="Stato" data={TRIP_REQUEST_STATES} {...form.getInputProps('state')} />
        <Textarea
          label="Nota per il cliente"
          description="La legge nella sua richiesta e la riceve via email."
          autosize
          minRows={3}
          maxRows={10}
          maxLength={TRIP_REQUEST_LIMITS.nota}
          {...form.getInputProps('note')}
        />
        <Button type="submit" loading={form.submitting}>
          Aggiorna e avvisa il cliente
        </Button>
      </Stack>
    </AppForm>
  );
}

/** A request for the administrator: its content, customer and history, and the form for its next state. */
export default function TripRequestManagementDetailPage() {
  const { id = '' } = useParams();
  const query = useQuery(managedTripRequestQuery(id));
  const request = isGone(query.error) ? undefined : query.data;
  return (
    <AdminOnly>
      <BackToList list="/app/gestione-richieste">Gestione Richieste</BackToList>
      <RequestHeader
        request={request}
        waiting={!query.error}
        intro={
          request && (
            <>
              <bdi>{request.customer.companyName ?? request.customer.fullName}</bdi>,{' '}
              <bdi>{request.progetto}</bdi>
              {DOT}
              {period(request.dataInizio, request.dataFine)}
            </>
          )
        }
      />
      <Loaded
        query={query}
        skeleton={<RequestSkeleton />}
        errorTitle="Richiesta non disponibile"
        missing={<MissingRequest list="/app/gestione-richieste" label="Vedi tutte le richieste" />}
      >
        {(shown) => (
          <div className={styles.columns}>
            {/* What the administrator comes for, so it is first on a phone and for screen readers. */}
            <Section title="Aggiorna">
              <Paper withBorder className={styles.box}>
                <StateForm key={shown.id} request={shown} />
              </Paper>
            </Section>
            <Section title="Cliente">
              <Paper withBorder className={styles.box}>
                <Text fw={600}>{shown.customer.fullName}</Text>
                {shown.customer.companyName && <Text>{shown.customer.companyName}</Text>}
                <a href={`mailto:${shown.customer.email}`}>{breakable(shown.customer.email)}</a>
                <Stack gap="xs" mt="md" align="flex-start">
                  <Anchor component={Link} to={customerRequestsPath(shown.customer.id)}>
                    Tutte le sue richieste
                  </Anchor>
                  <Anchor component={Link} to={accountPath(shown.customer.id)}>
                    Il suo account
                  </Anchor>
                </Stack>
              </Paper>
            </Section>
            <div className={styles.asked}>
              <Section title="La richiesta">
                <RequestContent request={shown} />
              </Section>
            </div>
            <Section title="Cronologia">
              <Paper withBorder className={styles.box}>
                <RequestHistory events={shown.events} viewer="provider" />
              </Paper>
            </Section>
          </div>
        )}
      </Loaded>
    </AdminOnly>
  );
}
