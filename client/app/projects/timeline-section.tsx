import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useMemo, useState } from 'react';
import { useAfterPaint } from '#client/lib/after-paint.ts';
import { people, period } from '#client/lib/words.ts';
import { type Column, DataTable } from '#client/ui/data-table.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { useDeferredRender, useIncrementalCount } from '#client/ui/incremental-render.ts';
import { Loaded, LoadMore, Waiting } from '#client/ui/list-states.tsx';
import { SearchInput } from '#client/ui/search-input.tsx';
import { Section } from '#client/ui/section.tsx';
import { Segments } from '#client/ui/segments.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { formatDate, startOfMonth, todayInRome } from '#contract/dates.ts';
import { holdWords } from '#contract/lists.ts';
import type { Timeline } from '#contract/projects.ts';
import { timelineQuery } from './api.ts';
import {
  lengthOf,
  type Period,
  type PersonRow,
  personRows,
  type Span,
  spanOf,
  type Window,
  windowOf,
} from './timeline.ts';
import styles from './timeline-section.module.css';
import { days } from './words.ts';

/** Rows in sight before one asks for more: a customer may have thousands of people. */
const STEP = 25;
/** Rows that fill a screen. */
const ROWS_AT_ONCE = 10;
const LANE_REM = 1.75;
/** Below the lanes of a person: the line of the days away. */
const AWAY_REM = 0.375;

type Project = Timeline['projects'][number];

const LENGTHS = [
  { value: '3', label: '3 mesi' },
  { value: '6', label: '6 mesi' },
  { value: '12', label: '12 mesi' },
] as const;
const VIEWS = [
  { value: 'people', label: 'Persone' },
  { value: 'projects', label: 'Progetti' },
] as const;
const SHAPES = [
  { value: 'chart', label: 'Grafico' },
  { value: 'table', label: 'Tabella' },
] as const;

type View = (typeof VIEWS)[number]['value'];

const place = ({ left, width }: Span) => ({ left: `${left}%`, width: `${width}%` });
const touches = (entry: Period, window: Period) =>
  entry.startDate <= window.endDate && entry.endDate >= window.startDate;

function Bar({
  project,
  window,
  lane,
  label,
}: {
  project: Project;
  window: Window;
  lane: number;
  label: string;
}) {
  return (
    <span
      className={styles.bar}
      data-completed={project.status === 'Completato'}
      title={`${project.name}, ${project.location}: ${period(project.startDate, project.endDate)}`}
      style={{ ...place(spanOf(project, window)), top: `${lane * LANE_REM}rem` }}
    >
      <span className={styles.barText}>{label}</span>
    </span>
  );
}

function PersonTrack({ row, window }: { row: PersonRow; window: Window }) {
  return (
    <div className={styles.track} style={{ height: `${row.lanes * LANE_REM + AWAY_REM}rem` }}>
      {row.gaps
        .filter((gap) => touches(gap, window))
        .map((gap) => (
          <span
            key={gap.startDate}
            className={styles.gap}
            title={`Libero: ${period(gap.startDate, gap.endDate)}`}
            style={place(spanOf(gap, window))}
          >
            {lengthOf(gap)} g
          </span>
        ))}
      {row.stays.map(({ project, lane }) => (
        <Bar key={project.id} project={project} window={window} lane={lane} label={project.name} />
      ))}
      {row.overlaps
        .filter((overlap) => touches(overlap, window))
        .map((overlap) => (
          <span
            key={`${overlap.startDate}${overlap.endDate}`}
            className={styles.overlap}
            title={`Date sovrapposte: ${period(overlap.startDate, overlap.endDate)}`}
            style={place(spanOf(overlap, window))}
          />
        ))}
      {row.away.map((time) => (
        <span
          key={time.startDate}
          className={styles.away}
          title={`In trasferta: ${period(time.startDate, time.endDate)}`}
          style={place(spanOf(time, window))}
        />
      ))}
    </div>
  );
}

function Scale({ window }: { window: Window }) {
  return (
    <div className={styles.row}>
      <div className={styles.label} />
      <div className={styles.scale}>
        {window.months.map((month, index) => (
          <span key={`${month.label}${month.year}`} className={styles.month} style={place(month)}>
            {month.label}
            {(index === 0 || month.label === 'gen') && <small> {month.year}</small>}
          </span>
        ))}
      </div>
    </div>
  );
}

const listed = (periods: readonly Period[]) =>
  periods.map(({ startDate, endDate }) => period(startDate, endDate)).join('; ') || 'No';

const PEOPLE: Column<PersonRow>[] = [
  {
    key: 'name',
    header: 'Nome',
    tableOnly: true,
    cell: ({ name, role }) => (
      <>
        <strong>{name}</strong>, {role}
      </>
    ),
  },
  {
    key: 'stays',
    header: 'Dove e quando',
    cell: ({ stays }) =>
      stays.length === 0
        ? 'Nessun progetto'
        : stays.map(({ project }) => (
            <div key={project.id}>
              {project.name}: {period(project.startDate, project.endDate)}
            </div>
          )),
  },
  { key: 'away', header: 'In trasferta', cell: ({ away }) => listed(away) },
  { key: 'overlaps', header: 'Date sovrapposte', cell: ({ overlaps }) => listed(overlaps) },
  { key: 'gaps', header: 'Giorni liberi fra due progetti', cell: ({ gaps }) => listed(gaps) },
];

const PROJECTS: Column<Project>[] = [
  { key: 'name', header: 'Progetto', tableOnly: true, cell: ({ name }) => <strong>{name}</strong> },
  { key: 'location', header: 'Località', cell: ({ location }) => location },
  { key: 'dates', header: 'Date', cell: ({ startDate, endDate }) => period(startDate, endDate) },
  { key: 'people', header: 'Team', cell: (project) => people(project.people) },
];

const idOf = ({ id }: { id: number }) => id;
const nameOf = ({ name }: Project) => name;
const personOf = ({ name, role }: PersonRow) => `${name}, ${role}`;

/** The timeline in words. A screen reader, which needs no room, has it as a table at any width. */
function Words({
  rows,
  projects,
  view,
  hidden,
}: {
  rows: readonly PersonRow[];
  projects: readonly Project[];
  view: View;
  hidden: boolean;
}) {
  const tableFrom = hidden ? 0 : 59;
  return (
    <div className={hidden ? `visually-hidden ${styles.unseen}` : undefined}>
      {view === 'people' ? (
        <DataTable
          caption="Chi è dove e quando"
          tableFrom={tableFrom}
          rows={rows}
          rowKey={idOf}
          title={personOf}
          columns={PEOPLE}
        />
      ) : (
        <DataTable
          caption="Progetti e date"
          tableFrom={tableFrom}
          rows={projects}
          rowKey={idOf}
          title={nameOf}
          columns={PROJECTS}
        />
      )}
    </div>
  );
}

/** How many people are away today; nothing where today is not in sight. */
function awayToday(rows: readonly PersonRow[], window: Window): string {
  const today = todayInRome();
  const now = { startDate: today, endDate: today };
  if (!touches(now, window)) return '';
  const away = rows.filter((row) => row.away.some((time) => touches(time, now))).length;
  return away === 0
    ? 'Oggi nessuno è in trasferta.'
    : `Oggi ${away === 1 ? 'è' : 'sono'} in trasferta ${people(away)}.`;
}

/** Where people are expected twice, in one sentence. */
function finding(rows: readonly PersonRow[], window: Window): string {
  const double = rows.filter(({ overlaps }) => overlaps.some((entry) => touches(entry, window)));
  if (double.length === 0) return 'Nessuno è atteso in due posti negli stessi giorni.';
  const [first] = double;
  if (double.length === 1 && first) return `${first.name} è su più progetti negli stessi giorni.`;
  return `${people(double.length)} sono su più progetti negli stessi giorni.`;
}

function Chart({
  timeline,
  window,
  view,
  search,
  asTable,
}: {
  timeline: Timeline;
  window: Window;
  view: View;
  search: string;
  asTable: boolean;
}) {
  const [shown, setShown] = useState(STEP);
  const rows = useMemo(() => personRows(timeline), [timeline]);
  const matching = rows.filter(({ name, role, stays }) =>
    holdWords([name, role, ...stays.map(({ project }) => project.name)], search),
  );
  const projects = timeline.projects.filter(({ name, location }) => holdWords([name, location], search));
  const total = view === 'people' ? matching.length : projects.length;
  const now = { startDate: todayInRome(), endDate: todayInRome() };
  const inSight = useIncrementalCount(Math.min(total, shown), ROWS_AT_ONCE);
  // What is there for ears alone does not hold up what is in sight.
  const painted = useAfterPaint(true, false);

  return (
    <>
      <Text fw={600} mb="sm">
        {awayToday(rows, window)} {finding(rows, window)}
      </Text>
      {total === 0 && <Text c="dimmed">Nessun risultato in questo periodo.</Text>}
      {total > 0 && (asTable || painted) && (
        <Words
          rows={matching.slice(0, shown)}
          projects={projects.slice(0, shown)}
          view={view}
          hidden={!asTable}
        />
      )}
      {total > 0 && !asTable && (
        <>
          <div className={styles.chart} aria-hidden="true">
            <Scale window={window} />
            <div className={styles.rows}>
              <div className={styles.backdrop}>
                {window.months.map((month) => (
                  <span
                    key={`${month.label}${month.year}`}
                    className={styles.line}
                    style={{ left: `${month.left}%` }}
                  />
                ))}
                {touches(now, window) && (
                  <span className={styles.today} style={{ left: `${spanOf(now, window).left}%` }} />
                )}
              </div>
              {view === 'people'
                ? matching.slice(0, inSight).map((row) => (
                    <div key={row.id} className={styles.row} data-entry>
                      <div className={styles.label}>
                        <span className={styles.name}>{row.name}</span>
                        <small>{row.role}</small>
                      </div>
                      <PersonTrack row={row} window={window} />
                    </div>
                  ))
                : projects.slice(0, inSight).map((project) => (
                    <div key={project.id} className={styles.row} data-entry>
                      <div className={styles.label}>
                        <span className={styles.name}>{project.name}</span>
                        <small>{project.location}</small>
                      </div>
                      <div className={styles.track} style={{ height: `${LANE_REM}rem` }}>
                        <Bar project={project} window={window} lane={0} label={people(project.people)} />
                      </div>
                    </div>
                  ))}
            </div>
          </div>
          <Group gap="md" mt="sm" className={styles.legend} aria-hidden="true">
            <span>
              <i className={styles.sample} /> in corso
            </span>
            <span>
              <i className={styles.sample} data-kind="completed" /> completato
            </span>
            {view === 'people' && (
              <span>
                <i className={styles.sample} data-kind="away" /> giorni in trasferta
              </span>
            )}
            <span>
              <i className={styles.sample} data-kind="overlap" /> date sovrapposte
            </span>
            <span>
              <i className={styles.sample} data-kind="gap" /> giorni liberi fra due progetti
            </span>
            {touches(now, window) && (
              <span>
                <i className={styles.sample} data-kind="today" /> oggi
              </span>
            )}
          </Group>
        </>
      )}
      {total > shown && (
        <LoadMore
          shown={shown}
          total={total}
          feminine={view === 'people'}
          hasMore
          loading={false}
          onMore={() => setShown((count) => count + STEP)}
        />
      )}
    </>
  );
}

const FIRST = { length: LENGTHS[1].value, offset: -1 };

/** `count` months from the one that is `offset` away from this one. */
const monthsFrom = (offset: number, count: number) => windowOf(startOfMonth(todayInRome(), offset), count);

/** What the calendar shows before anybody chooses: for whoever renders it later than its page. */
export function firstTimelineQuery() {
  const { startDate, endDate } = monthsFrom(FIRST.offset, Number(FIRST.length));
  return timelineQuery(startDate, endDate);
}

/** The shape of the chart while it loads: the sentence above it, the months, people with their bars. */
function ChartSkeleton() {
  return (
    <Waiting label={null}>
      <Skeleton height={16} width="70%" margin="var(--space-1) 0 var(--space-4)" />
      <div className={styles.chart}>
        {Array.from({ length: ROWS_AT_ONCE }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have no other identity
          <div key={row} className={styles.row} data-waiting>
            <Skeleton height={14} width={`${50 + ((row * 17) % 40)}%`} />
            <Skeleton height={24} width={`${30 + ((row * 23) % 50)}%`} margin={`0 0 0 ${(row * 7) % 20}%`} />
          </div>
        ))}
      </div>
    </Waiting>
  );
}

/** Who is where when, over whole months: overlaps and gaps at a glance, and the same as a table. */
export const TimelineSection = memo(function TimelineSection() {
  const [view, setView] = useState<View>('people');
  const [shape, setShape] = useState<(typeof SHAPES)[number]['value']>('chart');
  const [length, setLength] = useState<(typeof LENGTHS)[number]['value']>(FIRST.length);
  const count = Number(length);
  const [offset, setOffset] = useState(FIRST.offset);
  const [search, setSearch] = useState('');
  const window = monthsFrom(offset, count);
  const query = useQuery({
    ...timelineQuery(window.startDate, window.endDate),
    placeholderData: keepPreviousData,
  });
  const following = useDeferredRender();
  return (
    <Section
      title="Calendario trasferte"
      intro={`Chi è dove, dal ${formatDate(window.startDate)} al ${formatDate(window.endDate)} (${days(lengthOf(window))})`}
    >
      <div className={styles.controls}>
        <Group gap={4} wrap="nowrap" align="stretch" className={styles.steps}>
          <IconButton
            bordered
            aria-label="Periodo precedente"
            onClick={() => setOffset((now) => now - count)}
          >
            <IconChevronLeft size={20} aria-hidden="true" />
          </IconButton>
          <Button variant="default" size="sm" onClick={() => setOffset(FIRST.offset)}>
            Oggi
          </Button>
          <IconButton
            bordered
            aria-label="Periodo successivo"
            onClick={() => setOffset((now) => now + count)}
          >
            <IconChevronRight size={20} aria-hidden="true" />
          </IconButton>
        </Group>
        <Segments
          className={styles.months}
          label="Mesi mostrati"
          options={LENGTHS}
          value={length}
          onChange={setLength}
        />
        <Segments label="Righe del calendario" options={VIEWS} value={view} onChange={setView} />
        <Segments label="Forma del calendario" options={SHAPES} value={shape} onChange={setShape} />
        <SearchInput
          className={styles.search}
          aria-label="Cerca nel calendario"
          value={search}
          onChange={setSearch}
        />
      </div>
      {following && (
        <Loaded query={query} skeleton={<ChartSkeleton />} errorTitle="Errore nel caricamento dei dati">
          {(timeline) => (
            <Chart
              key={view}
              timeline={timeline}
              window={window}
              view={view}
              search={search}
              asTable={shape === 'table'}
            />
          )}
        </Loaded>
      )}
    </Section>
  );
});
