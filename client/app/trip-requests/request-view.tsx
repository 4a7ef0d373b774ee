import { Anchor, Button, Paper, Text, Timeline, Title } from '@mantine/core';
import { IconArrowLeft, IconSearchOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { projectPath } from '#client/lib/record-paths.ts';
import { DOT } from '#client/lib/words.ts';
import { breakable, phoneLinks } from '#client/ui/breakable.tsx';
import { type Line, Lines, LinesSkeleton } from '#client/ui/lines.tsx';
import { Link } from '#client/ui/link.tsx';
import { Waiting } from '#client/ui/list-skeletons.tsx';
import { EmptyState } from '#client/ui/list-states.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { formatDateTime, period } from '#contract/dates.ts';
import { figure } from '#contract/figures.ts';
import {
  budgetWords,
  NO_BUDGET,
  type TripRequestDetail,
  type TripRequestEvent,
} from '#contract/trip-requests.ts';
import { provider } from '#provider';
import { useListPath } from './list-link.tsx';
import styles from './request-view.module.css';
import { capitalized, nights } from './words.ts';

/** A titled part with labelled values or a text. A `wide` one takes the whole row. */
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

/** The link back to the list, with its filters if the request was opened from it. */
export function BackToList({ list, children }: { list: string; children: string }) {
  return (
    <Button
      component={Link}
      to={useListPath(list)}
      variant="subtle"
      size="compact-md"
      mb="sm"
      className={styles.back}
      leftSection={<IconArrowLeft size={18} aria-hidden="true" />}
    >
      {children}
    </Button>
  );
}

/**
 * The head of a request's page. Its title is the same element before and after the request is loaded, so that it keeps
 * the focus. `waiting` reserves space for the text to come.
 */
export function RequestHeader({
  request,
  waiting,
  intro,
  actions,
}: {
  request: TripRequestDetail | undefined;
  waiting: boolean;
  intro: ReactNode;
  actions?: ReactNode;
}) {
  if (request) {
    return (
      <PageHeader
        title={`Trasferta a ${request.citta}`}
        badge={<StatusBadge status={request.state} />}
        intro={intro}
        actions={actions}
      />
    );
  }
  return (
    <PageHeader
      title="Richiesta di trasferta"
      badge={waiting && <Skeleton height={26} width={104} round />}
      intro={waiting && <Skeleton height={14} width="min(24rem, 80%)" margin="6px 0" />}
    />
  );
}

const PARTS: readonly { lines: number; wide?: boolean }[] = [
  { lines: 7, wide: true },
  { lines: 4 },
  { lines: 4 },
  { lines: 2 },
  { lines: 2 },
];

/** The shape of a request while it loads: its history beside the parts of its content. */
export function RequestSkeleton() {
  return (
    <Waiting>
      <div className={styles.columns}>
        <div>
          <Skeleton height={18} width="40%" className={styles.waitingTitle} />
          <Paper withBorder className={styles.box}>
            <Skeleton height={14} width="55%" />
            <Skeleton height={14} width="80%" margin="var(--space-3) 0 0" />
            <Skeleton height={14} width="45%" margin="var(--space-6) 0 0" />
            <Skeleton height={14} width="70%" margin="var(--space-3) 0 0" />
          </Paper>
        </div>
        <div className={styles.asked}>
          <Skeleton height={18} width="30%" className={styles.waitingTitle} />
          <Paper withBorder className={styles.content}>
            {PARTS.map(({ lines, wide = false }, part) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts without content have no other identity
              <div key={part} className={styles.part} data-wide={wide}>
                <Skeleton height={16} width="7rem" />
                <LinesSkeleton count={lines} />
              </div>
            ))}
          </Paper>
        </div>
      </div>
    </Waiting>
  );
}

/** The name as it was sent, leading to the project under its present one. */
function projectOf({ progetto, projectName }: TripRequestDetail): ReactNode {
  if (!projectName) return progetto;
  const renamed = progetto.localeCompare(projectName, 'it', { sensitivity: 'base' }) !== 0;
  return (
    <>
      <Anchor component={Link} to={projectPath(projectName)} inherit>
        {progetto}
      </Anchor>
      {renamed && ` (ora ${projectName})`}
    </>
  );
}

/** Everything a request contains. */
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
          ['Date', period(request.dataInizio, request.dataFine)],
          ['Durata', capitalized(nights(request.dataInizio, request.dataFine))],
          ['Progetto', projectOf(request)],
          ['Ragione', request.ragione],
          ['Persone', figure(request.numeroDipendenti)],
        ]}
      />
      <Part
        title="Alloggio"
        content={[
          ['Tipo', capitalized(request.alloggio)],
          ...(request.preferenzaAlloggio
            ? [['Preferenza', capitalized(request.preferenzaAlloggio)] as const]
            : []),
          ['Camere singole', figure(camere.singole)],
          ['Camere doppie', figure(camere.doppie)],
          ['Suite', figure(camere.suite)],
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
          ['Budget', budgetWords(request.budget) ?? NO_BUDGET],
          ...(request.budgetNote ? [['Note', request.budgetNote] as const] : []),
          ['Priorità', capitalized(request.priorita)],
        ]}
      />
      <Part
        title="Contatti"
        content={[
          ['Telefono', phoneLinks(request.telefono)],
          [
            'Email',
            <a key="email" href={`mailto:${request.email}`}>
              {breakable(request.email)}
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

/** The history of a request, newest first: state, time, author, note. */
export function RequestHistory({
  events,
  viewer,
}: {
  events: readonly TripRequestEvent[];
  viewer: 'customer' | 'provider';
}) {
  return (
    <Timeline active={0} bulletSize={18} lineWidth={2} role="list" aria-label="Cronologia della richiesta">
      {events.toReversed().map((event) => (
        <Timeline.Item key={`${event.at} ${event.state}`} role="listitem" title={event.state}>
          {event.note && <Text className={styles.note}>{event.note}</Text>}
          <Text size="sm" c="dimmed">
            <time dateTime={event.at}>{formatDateTime(event.at)}</time>
            {DOT}
            {authorOf(event, viewer)}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

/** Shown at the URL of a request that does not exist. `list` is the path of the existing ones. */
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
