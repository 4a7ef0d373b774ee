import { Text } from '@mantine/core';
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, use } from 'react';
import { flatten, type ListPages } from '#client/lib/list-pages.ts';
import { DOT } from '#client/lib/words.ts';
import { breakable, phoneLinks } from '#client/ui/breakable.tsx';
import { InTable } from '#client/ui/data-table-row.tsx';
import { Waiting } from '#client/ui/list-skeletons.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { formatDate, formatDateTime, period, todayInRome, withArticle } from '#contract/dates.ts';
import {
  type AssignmentPeriod,
  type Employee,
  overlappingAssignments,
  type StatusChange,
} from '#contract/employees.ts';
import { assignmentsQuery, statusChangesQuery } from './api.ts';
import styles from './employee-history.module.css';

/** A part of an employee's history, the latest entry first. */
function HistoryPart<Entry extends { id: number }>({
  title,
  query,
  none,
  feminine = false,
  children,
}: {
  title: string;
  query: UseInfiniteQueryResult<ListPages<Entry>>;
  /** Said while there is no entry. */
  none?: string;
  /** Grammatical gender of the entries' noun. */
  feminine?: boolean;
  children: (entry: Entry) => ReactNode;
}) {
  // Below the name of a card; a row of a table has no heading.
  const Heading = use(InTable) ? 'h3' : 'h4';
  return (
    <section>
      <Heading className={styles.title}>{title}</Heading>
      <Loaded
        query={query}
        errorLine={title}
        skeleton={
          <Waiting>
            <Skeleton height={96} />
          </Waiting>
        }
      >
        {(data) => {
          const { items, total } = flatten(data);
          return (
            <>
              {total === 0 && <Text c="dimmed">{none}</Text>}
              <ol className={styles.list}>{items.map(children)}</ol>
              {(query.hasNextPage || data.pages.length > 1) && (
                <LoadMore feminine={feminine} shown={items.length} total={total} pages={query} />
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

const assignmentEntry = (entry: AssignmentPeriod) => (
  <li key={entry.id} data-entry>
    <strong>{entry.projectName}</strong>, {entry.location}
    <span className={styles.when}>
      {period(entry.startDate, entry.endDate)}
      {DOT}assegnazione {withArticle('del', formatDate(todayInRome(new Date(entry.assignedAt))))}
      {entry.removedAt && `, tolta ${withArticle('il', formatDate(todayInRome(new Date(entry.removedAt))))}`}
      {entry.projectId === null && ' (progetto eliminato)'}
    </span>
  </li>
);

const statusEntry = ({ id, status, at }: StatusChange) => (
  <li key={id} className={styles.change} data-entry>
    <StatusBadge status={status} />
    <span className={styles.when}>{formatDateTime(at)}</span>
  </li>
);

/** An employee's contact data, all their projects, and the changes of their status. */
export function EmployeeHistory({ employee }: { employee: Employee }) {
  const assignments = useInfiniteQuery(assignmentsQuery(employee.id));
  const statusChanges = useInfiniteQuery(statusChangesQuery(employee.id));
  const overlaps = overlappingAssignments(employee.assignments);
  const { department, email, phone } = employee;
  const contacts = [
    { label: 'Reparto', value: department },
    { label: 'Email', value: email && <a href={`mailto:${email}`}>{breakable(email)}</a> },
    { label: 'Telefono', value: phone && phoneLinks(phone) },
  ].filter(({ value }) => value);
  return (
    <div className={styles.history}>
      {overlaps.map(([first, second]) => (
        <Text key={`${first.projectId}-${second.projectId}`} size="sm" className={styles.overlap}>
          Date sovrapposte: {first.projectName} ({period(first.startDate, first.endDate)}) e{' '}
          {second.projectName} ({period(second.startDate, second.endDate)})
        </Text>
      ))}
      {contacts.length > 0 && (
        <dl className={styles.contacts}>
          {contacts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles.columns}>
        <HistoryPart
          title="Cronologia delle assegnazioni"
          query={assignments}
          none="Nessun progetto finora."
          feminine
        >
          {assignmentEntry}
        </HistoryPart>
        <HistoryPart title="Cambi di stato" query={statusChanges}>
          {statusEntry}
        </HistoryPart>
      </div>
    </div>
  );
}
