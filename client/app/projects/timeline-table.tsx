import type { FocusEvent } from 'react';
import { people } from '#client/lib/words.ts';
import { DataTable } from '#client/ui/data-table.tsx';
import type { Column } from '#client/ui/data-table-row.tsx';
import { period } from '#contract/dates.ts';
import type { Period, PersonRow, TimelineProject, View } from './timeline.ts';
import styles from './timeline-table.module.css';

const listed = (periods: readonly Period[], none: string) =>
  periods.map(({ startDate, endDate }) => period(startDate, endDate)).join('; ') || none;

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
  { key: 'away', header: 'In trasferta', cell: ({ away }) => listed(away, 'Nessun\u00a0periodo') },
  { key: 'overlaps', header: 'Date sovrapposte', cell: ({ overlaps }) => listed(overlaps, 'Nessuna') },
  { key: 'gaps', header: 'Giorni liberi fra due progetti', cell: ({ gaps }) => listed(gaps, 'Nessuno') },
];

const PROJECTS: Column<TimelineProject>[] = [
  { key: 'name', header: 'Progetto', tableOnly: true, cell: ({ name }) => <strong>{name}</strong> },
  { key: 'location', header: 'Località', cell: ({ location }) => location },
  { key: 'dates', header: 'Date', cell: ({ startDate, endDate }) => period(startDate, endDate) },
  { key: 'people', header: 'Team', cell: (project) => people(project.people) },
];

const idOf = ({ id }: { id: number }) => id;
const nameOf = ({ name }: TimelineProject) => name;
const personOf = ({ name, role }: PersonRow) => `${name}, ${role}`;

/** Which row has the focus of the keyboard. */
function focusedRow({ target, currentTarget }: FocusEvent<HTMLElement>): number | null {
  const row = target.closest<HTMLElement>('[data-entry]');
  if (!row || !target.matches(':focus-visible')) return null;
  return Number(row.dataset.index ?? [...currentTarget.querySelectorAll('[data-entry]')].indexOf(row));
}

/** The timeline as text. For screen readers, which need no space, it is a table at any width. */
export function TimelineTable({
  rows,
  projects,
  view,
  unseen,
  onFocusedRow,
}: {
  rows: readonly PersonRow[];
  projects: readonly TimelineProject[];
  view: View;
  /** Whether it is for screen readers only. */
  unseen: boolean;
  /** Told which row has the keyboard's focus, to be shown elsewhere while the table is unseen. */
  onFocusedRow: (index: number | null) => void;
}) {
  const tableFrom = unseen ? 0 : 59;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only tells where the focus inside is
    <div
      className={unseen ? `visually-hidden ${styles.unseen}` : undefined}
      onFocus={(event) => onFocusedRow(focusedRow(event))}
      onBlur={() => onFocusedRow(null)}
    >
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
