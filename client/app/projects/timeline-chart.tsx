import { Group, Text } from '@mantine/core';
import { people } from '#client/lib/words.ts';
import { Waiting } from '#client/ui/list-skeletons.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { period, todayInRome } from '#contract/dates.ts';
import { datesOverlap } from '#contract/employees.ts';
import { figure } from '#contract/figures.ts';
import {
  lengthOf,
  type PersonRow,
  type Span,
  spanOf,
  type TimelineProject,
  type View,
  type Window,
} from './timeline.ts';
import styles from './timeline-chart.module.css';

/** Number of rows that fill a screen. */
export const ROWS_AT_ONCE = 10;
const LANE_REM = 1.75;
/** Height of the line with the days away, below a person's lanes. */
const AWAY_REM = 0.375;

const place = ({ left, width }: Span) => ({ left: `${left}%`, width: `${width}%` });

function Bar({
  project,
  window,
  lane,
  label,
}: {
  project: TimelineProject;
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
        .filter((gap) => datesOverlap(gap, window))
        .map((gap) => (
          <span
            key={gap.startDate}
            className={styles.gap}
            title={`Libero: ${period(gap.startDate, gap.endDate)}`}
            style={place(spanOf(gap, window))}
          >
            {figure(lengthOf(gap))} g
          </span>
        ))}
      {row.stays.map(({ project, lane }) => (
        <Bar key={project.id} project={project} window={window} lane={lane} label={project.name} />
      ))}
      {row.overlaps
        .filter((overlap) => datesOverlap(overlap, window))
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

/** The timeline as bars over months, hidden from screen readers, which get the table. It marks the row `focused` there. */
export function TimelineChart({
  rows,
  projects,
  window,
  view,
  focused,
}: {
  rows: readonly PersonRow[];
  projects: readonly TimelineProject[];
  window: Window;
  view: View;
  focused: number | null;
}) {
  const now = { startDate: todayInRome(), endDate: todayInRome() };
  return (
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
            {datesOverlap(now, window) && (
              <span className={styles.today} style={{ left: `${spanOf(now, window).left}%` }} />
            )}
          </div>
          {view === 'people'
            ? rows.map((row, index) => (
                <div key={row.id} className={styles.row} data-focused={index === focused}>
                  <div className={styles.label} title={`${row.name}, ${row.role}`}>
                    <span className={styles.name}>{row.name}</span>
                    <small>{row.role}</small>
                  </div>
                  <PersonTrack row={row} window={window} />
                </div>
              ))
            : projects.map((project, index) => (
                <div key={project.id} className={styles.row} data-focused={index === focused}>
                  <div className={styles.label} title={`${project.name}, ${project.location}`}>
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
          <>
            <span>
              <i className={styles.sample} data-kind="away" /> giorni in trasferta
            </span>
            <span>
              <i className={styles.sample} data-kind="overlap" /> date sovrapposte
            </span>
            <span>
              <i className={styles.sample} data-kind="gap" /> giorni liberi fra due progetti
            </span>
          </>
        )}
        {datesOverlap(now, window) && (
          <span>
            <i className={styles.sample} data-kind="today" /> oggi
          </span>
        )}
      </Group>
    </>
  );
}

/** The skeleton of the chart: the sentence above it, the months, and people with their bars. */
export function ChartSkeleton({ window }: { window: Window }) {
  return (
    <Waiting label={null}>
      <Text component="div" h="1lh" mb="sm" display="grid" className={styles.sentence}>
        <Skeleton height={16} width="70%" />
      </Text>
      <div className={styles.chart}>
        <Scale window={window} />
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
