import { Alert, Checkbox, Loader, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { people } from '#client/lib/words.ts';
import { type CalendarDate, formatDate } from '#contract/dates.ts';
import { type Assignment, datesOverlap, type Employee } from '#contract/employees.ts';
import { employeesQuery, flatten } from './api.ts';
import styles from './employee-picker.module.css';

/** Employees read at once; more are read as the list is scrolled. */
const PAGE = 100;

type Period = { startDate: CalendarDate; endDate: CalendarDate };

/** Assignments of `employee` on other projects 'In corso' that overlap `period`. */
function clashes(employee: Employee, period: Period | null, projectId: number | undefined): Assignment[] {
  if (!period) return [];
  return employee.assignments.filter(
    (entry) => !entry.completed && entry.projectId !== projectId && datesOverlap(entry, period),
  );
}

/** Employees by id, of every page and every search seen so far. */
function useSeen(employees: readonly Employee[]): ReadonlyMap<number, Employee> {
  const seen = useRef(new Map<number, Employee>());
  return useMemo(() => {
    for (const employee of employees) seen.current.set(employee.id, employee);
    return new Map(seen.current);
  }, [employees]);
}

/**
 * A checklist of the customer's employees, 'name - role', searched on the server and read as it is scrolled, so that it
 * stays usable with thousands. Warns, without blocking, about people who are elsewhere on the same days.
 */
export function EmployeePicker({
  value,
  onChange,
  period,
  projectId,
  error,
}: {
  /** Ids of the chosen employees. */
  value: number[];
  onChange: (ids: number[]) => void;
  /** The project's dates; null while they are not dates. */
  period: Period | null;
  /** The project being edited: its own assignments are no clash. */
  projectId?: number;
  error?: string;
}) {
  const label = useId();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 250);
  const query = useInfiniteQuery(
    employeesQuery({ search: wanted, sort: 'name', direction: 'asc', limit: PAGE }),
  );
  const team = useInfiniteQuery({
    ...employeesQuery({ projectId, sort: 'name', direction: 'asc', limit: PAGE }),
    enabled: projectId !== undefined,
  });
  const { items, total } = query.data ? flatten(query.data) : { items: [], total: 0 };
  const employees = items.filter(({ sample }) => !sample);
  const seen = useSeen([...employees, ...(team.data ? flatten(team.data).items : [])]);
  const chosen = new Set(value);

  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  useEffect(() => {
    if (!end.current || !hasNextPage || isFetchingNextPage) return;
    const watcher = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && void fetchNextPage(),
      { root: end.current.parentElement, rootMargin: '400px' },
    );
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  const warnings = value.flatMap((id) => {
    const employee = seen.get(id);
    const [first] = employee ? clashes(employee, period, projectId) : [];
    return employee && first ? [{ employee, first }] : [];
  });

  function toggle(id: number) {
    onChange(chosen.has(id) ? value.filter((entry) => entry !== id) : [...value, id]);
  }

  const nobody = query.isSuccess && employees.length === 0;
  return (
    <fieldset className={styles.picker} aria-describedby={error ? `${label}-error` : undefined}>
      <legend className={styles.legend}>
        Assegna dipendenti esistenti
        <Text span c="dimmed" size="sm" fw={400}>
          {value.length === 0 ? '' : ` · ${value.length === 1 ? '1 scelto' : `${value.length} scelti`}`}
        </Text>
      </legend>
      {nobody && wanted === '' ? (
        <Text c="dimmed" size="sm">
          Non hai ancora dipendenti: aggiungi i primi qui sotto.
        </Text>
      ) : (
        <>
          <TextInput
            aria-label="Cerca fra i dipendenti"
            placeholder="Cerca per nome, ruolo o progetto"
            leftSection={<IconSearch size={18} aria-hidden="true" />}
            rightSection={query.isFetching ? <Loader size={16} /> : null}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached with the keyboard */}
          <fieldset className={styles.list} tabIndex={0} aria-label="Dipendenti">
            {employees.map((employee) => {
              const [clash] = clashes(employee, period, projectId);
              return (
                <Checkbox
                  key={employee.id}
                  className={styles.option}
                  label={`${employee.name} - ${employee.role}`}
                  description={clash && `Già a ${clash.projectName} fino al ${formatDate(clash.endDate)}`}
                  checked={chosen.has(employee.id)}
                  onChange={() => toggle(employee.id)}
                />
              );
            })}
            {nobody && (
              <Text c="dimmed" size="sm" p="xs">
                Nessun dipendente corrisponde alla ricerca.
              </Text>
            )}
            {query.isError && (
              <Text c="red" size="sm" p="xs" role="alert">
                {query.error.message}
              </Text>
            )}
            <div ref={end} />
          </fieldset>
          {total > PAGE && (
            <Text c="dimmed" size="xs">
              {total} dipendenti: cerca per trovarli prima.
            </Text>
          )}
        </>
      )}
      {error && (
        <Text id={`${label}-error`} c="red" size="sm" fw={600}>
          {error}
        </Text>
      )}
      <div role="status">
        {warnings.length > 0 && (
          <Alert
            color="orange"
            icon={<IconAlertTriangle aria-hidden="true" />}
            title={`${people(warnings.length)} ${warnings.length === 1 ? 'ha' : 'hanno'} un'altra trasferta negli stessi giorni`}
          >
            <ul className={styles.warnings}>
              {warnings.slice(0, 5).map(({ employee, first }) => (
                <li key={employee.id}>
                  {employee.name}: {first.projectName}, {formatDate(first.startDate)} –{' '}
                  {formatDate(first.endDate)}
                </li>
              ))}
              {warnings.length > 5 && <li>e altre {warnings.length - 5}</li>}
            </ul>
            Puoi salvare lo stesso.
          </Alert>
        )}
      </div>
    </fieldset>
  );
}
