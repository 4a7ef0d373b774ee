import { Button, Paper, Text, Timeline, Title } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { people, period } from '#client/lib/words.ts';
import { Link } from '#client/ui/link.tsx';
import { EmptyState } from '#client/ui/list-states.tsx';
import { formatDateTime } from '#contract/dates.ts';
import type { TripRequestDetail, TripRequestEvent } from '#contract/trip-requests.ts';
import { provider } from '#provider';
import styles from './request-view.module.css';
import { budgetWords, capitalized, nights } from './words.ts';

type Line = readonly [label: string, value: ReactNode];

/** A titled part: labelled values, or a text. A `wide` one takes the whole row. */
function Part({
  title,
  content,
  wide = false,
}: {
  title: string;
  content: readonly Line[] | string;
  wide?: boolean;
}) {
  return (
    <div className={styles.part} data-wide={wide}>
      <Title order={3} size="h4">
        {title}
      </Title>
      {typeof content === 'string' ? <p className={styles.free}>{content}</p> : <Lines lines={content} />}
    </div>
  );
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <dl className={styles.lines}>
      {lines.map(([label, value]) => (
        <div key={label} className={styles.line}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Everything a request asks for. */
export function RequestContent({ request }: { request: TripRequestDetail }) {
  const { camere, requisiti } = request;
  return (
    <Paper withBorder className={styles.content}>
      <Part
        title="Trasferta"
        wide
        content={[
          ['Città', request.citta],
          ['Sito di lavoro', request.posizione],
          [
            'Date',
            `${period(request.dataInizio, request.dataFine)} (${nights(request.dataInizio, request.dataFine)})`,
          ],
          ['Progetto', request.progetto],
          ['Ragione', request.ragione],
          ['Persone', people(request.numeroDipendenti)],
        ]}
      />
      <Part
        title="Alloggio"
        content={[
          ['Tipo', capitalized(request.alloggio)],
          ...(request.preferenzaAlloggio
            ? [['Preferenza', capitalized(request.preferenzaAlloggio)] as const]
            : []),
          ['Camere singole', camere.singole],
          ['Camere doppie', camere.doppie],
          ['Suite', camere.suite],
        ]}
      />
      <Part
        title="Requisiti"
        content={[
          ['Colazione', capitalized(requisiti.colazione)],
          ['Lavanderia', capitalized(requisiti.lavanderia)],
          ['Parcheggio', capitalized(requisiti.parcheggio)],
          ['Cucina', capitalized(requisiti.cucina)],
        ]}
      />
      <Part
        title="Budget e priorità"
        content={[
          ['Budget', budgetWords(request.budget) ?? 'Nessun limite indicato'],
          ...(request.budgetNote ? [['Note', request.budgetNote] as const] : []),
          ['Priorità', capitalized(request.priorita)],
        ]}
      />
      <Part
        title="Contatti"
        content={[
          [
            'Telefono',
            <a key="telefono" href={`tel:${request.telefono.replace(/[^+\d]/g, '')}`}>
              {request.telefono}
            </a>,
          ],
          [
            'Email',
            <a key="email" href={`mailto:${request.email}`}>
              {request.email}
            </a>,
          ],
        ]}
      />
      {request.altreRichieste && <Part title="Altre richieste" content={request.altreRichieste} wide />}
    </Paper>
  );
}

function authorOf({ author, authorName }: TripRequestEvent, viewer: 'customer' | 'provider'): string {
  if (author === viewer && viewer === 'customer') return 'Tu';
  if (author === 'provider') return authorName ? `${authorName}, ${provider.name}` : provider.name;
  return authorName ?? 'Cliente';
}

/** What became of a request, newest first: state, time, author, note. */
export function RequestHistory({
  events,
  viewer,
}: {
  events: readonly TripRequestEvent[];
  viewer: 'customer' | 'provider';
}) {
  return (
    <Timeline active={0} bulletSize={18} lineWidth={2} aria-label="Storia della richiesta">
      {events.toReversed().map((event) => (
        <Timeline.Item key={`${event.at} ${event.state}`} title={event.state}>
          {event.note && <Text className={styles.note}>{event.note}</Text>}
          <Text size="sm" c="dimmed">
            <time dateTime={event.at}>{formatDateTime(event.at)}</time> · {authorOf(event, viewer)}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

/** What stands at the address of a request that is not there. `list` is the path of those that are. */
export function MissingRequest({ list, label }: { list: string; label: string }) {
  return (
    <EmptyState
      icon={IconSearchOff}
      title="Questa richiesta non c’è"
      action={
        <Button component={Link} to={list} variant="default">
          {label}
        </Button>
      }
    >
      Può essere stata eliminata, o l’indirizzo non è quello giusto.
    </EmptyState>
  );
}
