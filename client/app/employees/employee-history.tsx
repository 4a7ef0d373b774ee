import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { use, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { DOT } from '#client/lib/words.ts';
import { breakable, phoneLinks } from '#client/ui/breakable.tsx';
import { InTable } from '#client/ui/data-table-row.tsx';
import { Waiting } from '#client/ui/list-skeletons.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { formatDate, formatDateTime, period, todayInRome, withArticle } from '#contract/dates.ts';
import {
  type Employee,
  type EmployeeHistory as History,
  overlappingAssignments,
} from '#contract/employees.ts';
import { figure } from '#contract/figures.ts';
import { historyQuery } from './api.ts';
import styles from './employee-history.module.css';

/** Number of status changes shown at first, the latest ones. */
const RECENT_CHANGES = 8;

/** The changes of an employee's status, the latest first, and a button for those that are not shown at first. */
function StatusChanges({ changes }: { changes: History['statusChanges'] }) {
  const [whole, setWhole] = useState(false);
  const list = useRef<HTMLOListElement>(null);

  /** The pressed button disappears, so the focus moves to the first change that it revealed. */
  function showAll() {
    flushSync(() => setWhole(true));
    list.current?.querySelectorAll('li')[RECENT_CHANGES]?.focus();
  }

  return (
    <>
      <ol className={styles.list} ref={list}>
        {(whole ? changes : changes.slice(0, RECENT_CHANGES)).map(({ status, at }) => (
          <li key={at} className={styles.change} tabIndex={-1}>
            <StatusBadge status={status} />
            <span className={styles.when}>{formatDateTime(at)}</span>
          </li>
        ))}
      </ol>
      {!whole && changes.length > RECENT_CHANGES && (
        <Button variant="default" size="xs" mt="xs" onClick={showAll}>
          Mostra tutti ({figure(changes.length)})
        </Button>
      )}
    </>
  );
}

/** An employee's contact data, all their projects, and the changes of their status. */
export function EmployeeHistory({ employee }: { employee: Employee }) {
  const query = useQuery(historyQuery(employee.id));
  const overlaps = overlappingAssignments(employee.assignments);
  // Below the name of a card; a row of a table has no heading.
  const Heading = use(InTable) ? 'h3' : 'h4';
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
      <Loaded
        query={query}
        skeleton={
          <Waiting>
            <Skeleton height={96} />
          </Waiting>
        }
      >
        {({ assignments, statusChanges }) => (
          <div className={styles.columns}>
            <section>
              <Heading className={styles.title}>Cronologia delle assegnazioni</Heading>
              {assignments.length === 0 && <Text c="dimmed">Nessun progetto finora.</Text>}
              <ol className={styles.list}>
                {assignments.map((entry) => (
                  <li key={`${entry.assignedAt}-${entry.projectName}`}>
                    <strong>{entry.projectName}</strong>, {entry.location}
                    <span className={styles.when}>
                      {period(entry.startDate, entry.endDate)}
                      {DOT}assegnazione{' '}
                      {withArticle('del', formatDate(todayInRome(new Date(entry.assignedAt))))}
                      {entry.removedAt &&
                        `, tolta ${withArticle('il', formatDate(todayInRome(new Date(entry.removedAt))))}`}
                      {entry.projectId === null && ' (progetto eliminato)'}
                    </span>
                  </li>
                ))}
              </ol>
            </section>
            <section>
              <Heading className={styles.title}>Cambi di stato</Heading>
              <StatusChanges changes={statusChanges} />
            </section>
          </div>
        )}
      </Loaded>
    </div>
  );
}
