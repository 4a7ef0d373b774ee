import { Button, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useMemo, useRef, useState } from 'react';
import { useAfterPaint } from '#client/lib/after-paint.ts';
import { useToday } from '#client/lib/new-day.ts';
import { counted } from '#client/lib/words.ts';
import { IconButton } from '#client/ui/icon-button.tsx';
import { useDeferredRender, useIncrementalCount, useShownSteps } from '#client/ui/incremental-render.ts';
import { Loaded } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { SampleBadge } from '#client/ui/sample-badge.tsx';
import { SearchInput } from '#client/ui/search-input.tsx';
import { Section } from '#client/ui/section.tsx';
import { Segments } from '#client/ui/segments.tsx';
import { type CalendarDate, formatDate, startOfMonth, todayInRome, withArticle } from '#contract/dates.ts';
import { containWords } from '#contract/lists.ts';
import { PROJECT_TEXTS, type Timeline } from '#contract/projects.ts';
import { timelineQuery } from './api.ts';
import { lengthOf, personRows, type View, type Window, windowOf } from './timeline.ts';
import { ChartSkeleton, ROWS_AT_ONCE, TimelineChart } from './timeline-chart.tsx';
import { awayToday, overlapFinding } from './timeline-findings.ts';
import styles from './timeline-section.module.css';
import { TimelineTable } from './timeline-table.tsx';
import { days } from './words.ts';

/** Rows shown at first, and added by each press on the button: a customer may have thousands of employees. */
const STEP = 25;

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

function Results({
  timeline,
  window,
  outdated,
  view,
  search,
  asTable,
}: {
  timeline: Timeline;
  /** The period of `timeline`. */
  window: Window;
  /** Whether another period has been requested since: the content is hidden, but keeps its space. */
  outdated: boolean;
  view: View;
  search: string;
  asTable: boolean;
}) {
  const [shown, pages] = useShownSteps(STEP);
  const [focused, setFocused] = useState<number | null>(null);
  const rows = useMemo(() => personRows(timeline), [timeline]);
  const matching = useMemo(
    () =>
      rows.filter(({ name, role, stays }) =>
        containWords(
          [name, role, ...stays.flatMap(({ project }) => [project.name, project.location])],
          search,
        ),
      ),
    [rows, search],
  );
  const projects = useMemo(
    () => timeline.projects.filter(({ name, location }) => containWords([name, location], search)),
    [timeline, search],
  );
  const total = view === 'people' ? matching.length : projects.length;
  const inSight = useIncrementalCount(Math.min(total, shown), ROWS_AT_ONCE);
  // The table for screen readers is rendered after the first paint, so that it does not delay the chart.
  const painted = useAfterPaint(true, false);
  const unseen = outdated ? styles.outdated : undefined;

  return (
    <>
      {/* The live regions are always present, so that changes in them are announced. */}
      <Text fw={600} mb="sm" component="div" className={styles.finding}>
        <div role="status">
          <span className={unseen}>
            {awayToday(rows, window)} {overlapFinding(rows, window)}
          </span>
        </div>
        {/* Here, where it moves nothing that was there before it. */}
        {timeline.sample && (
          <span className={unseen}>
            <SampleBadge />
          </span>
        )}
      </Text>
      <div role="status">
        {total === 0 && (
          <Text c="dimmed" className={unseen}>
            Nessun risultato in questo periodo.
          </Text>
        )}
        {search !== '' && total > 0 && (
          <span className="visually-hidden">{counted(total, 'risultato', 'risultati')}</span>
        )}
      </div>
      <div className={unseen}>
        {total > 0 && (asTable || painted) && (
          <TimelineTable
            rows={matching.slice(0, shown)}
            projects={projects.slice(0, shown)}
            view={view}
            unseen={!asTable}
            onFocusedRow={setFocused}
          />
        )}
        {total > 0 && !asTable && (
          <TimelineChart
            rows={matching.slice(0, inSight)}
            projects={projects.slice(0, inSight)}
            window={window}
            view={view}
            focused={focused}
          />
        )}
        {total > shown && (
          <LoadMore shown={shown} total={total} feminine={view === 'people'} quiet pages={pages} />
        )}
      </div>
    </>
  );
}

const FIRST = { length: LENGTHS[1].value, offset: -1 };

/** `count` months from the month that is `offset` months from that of `today`. */
const monthsFrom = (today: CalendarDate, offset: number, count: number) =>
  windowOf(startOfMonth(today, offset), count);

/** The query for the calendar's initial period, for prefetching. */
export function firstTimelineQuery() {
  const { startDate, endDate } = monthsFrom(todayInRome(), FIRST.offset, Number(FIRST.length));
  return timelineQuery(startDate, endDate);
}

/** The timeline over whole months, which shows overlaps and gaps, as a chart or a table. */
export const TimelineSection = memo(function TimelineSection() {
  const [view, setView] = useState<View>('people');
  const [shape, setShape] = useState<(typeof SHAPES)[number]['value']>('chart');
  const [length, setLength] = useState<(typeof LENGTHS)[number]['value']>(FIRST.length);
  const count = Number(length);
  const [offset, setOffset] = useState(FIRST.offset);
  const [search, setSearch] = useState('');
  const window = monthsFrom(useToday(), offset, count);
  const query = useQuery({
    ...timelineQuery(window.startDate, window.endDate),
    placeholderData: keepPreviousData,
  });
  // The previous data stays, hidden, until that of this period arrives.
  const waiting = query.isPlaceholderData;
  const answered = useRef(window);
  if (!waiting) answered.current = window;
  const following = useDeferredRender();
  return (
    <Section
      title="Calendario trasferte"
      intro={
        <span role="status">
          Chi è dove, {withArticle('dal', formatDate(window.startDate))}{' '}
          {withArticle('al', formatDate(window.endDate))} ({days(lengthOf(window))})
        </span>
      }
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
        <search className={styles.search} aria-label="Calendario trasferte">
          <SearchInput aria-label="Cerca nel calendario" value={search} onChange={setSearch} />
        </search>
      </div>
      {following && (
        <Loaded
          query={query}
          skeleton={<ChartSkeleton window={window} />}
          errorTitle={PROJECT_TEXTS.loadFailed}
          errorHint={PROJECT_TEXTS.loadHint}
        >
          {(timeline) => (
            <div className={styles.results}>
              {waiting && (
                <div className={styles.waiting}>
                  <ChartSkeleton window={window} />
                </div>
              )}
              <Results
                key={view}
                timeline={timeline}
                window={answered.current}
                outdated={waiting}
                view={view}
                search={search}
                asTable={shape === 'table'}
              />
            </div>
          )}
        </Loaded>
      )}
    </Section>
  );
});
