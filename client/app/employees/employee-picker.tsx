import { Alert, Button, Checkbox, Group, Loader, Text } from '@mantine/core';
import { shallowEqual, useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { DEBOUNCE_MS } from '#client/lib/debounce.ts';
import { flatten } from '#client/lib/list-pages.ts';
import { usePromptTick } from '#client/lib/use-prompt-tick.ts';
import { andOthers, counted, DOT, people } from '#client/lib/words.ts';
import { Waiting } from '#client/ui/list-skeletons.tsx';
import { SearchInput } from '#client/ui/search-input.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';
import { type CalendarDate, formatDate, period, withArticle } from '#contract/dates.ts';
import { type Assignment, datesOverlap, type Employee } from '#contract/employees.ts';
import { figure } from '#contract/figures.ts';
import { employeesByIdQuery, employeesQuery } from './api.ts';
import styles from './employee-picker.module.css';

/** Employees per page; more pages are fetched on scrolling. */
const PAGE = 100;
/** Estimated height of a row before it is measured. */
const ROW_PX = 41;
/** How many rows before the end the next page is fetched. */
const ROWS_AHEAD = 20;

const NOBODY_FOUND = 'Nessun dipendente corrisponde alla ricerca.';
const NOBODY_LEFT = 'Chi avevi scelto non esiste più.';

type Period = { startDate: CalendarDate; endDate: CalendarDate };

/** The first assignment of `employee` on another project 'In corso' that overlaps `period`. */
function clashOf(
  employee: Employee,
  period: Period | null,
  projectId: number | undefined,
): Assignment | undefined {
  if (!period) return undefined;
  return employee.assignments.find(
    (entry) => !entry.completed && entry.projectId !== projectId && datesOverlap(entry, period),
  );
}

/** Fetches again the part of a list that failed: its next page, or all of it. */
function readAgain(list: Pick<UseInfiniteQueryResult, 'isFetchNextPageError' | 'fetchNextPage' | 'refetch'>) {
  void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch());
}

/** Employees by id, from every page and search seen so far. */
function useSeen(found: readonly Employee[], members: readonly Employee[]): ReadonlyMap<number, Employee> {
  const seen = useRef<ReadonlyMap<number, Employee>>(new Map());
  return useMemo(() => {
    const known = new Map(seen.current);
    for (const employee of [...found, ...members]) known.set(employee.id, employee);
    seen.current = known;
    return known;
  }, [found, members]);
}

/**
 * The chosen employees, by name. Those who have not been listed are read by their ids.
 * @param ids of the chosen employees
 * @param found the listed employees
 * @returns also the query that reads them, and whether there is more to come of it
 */
function useChosen(ids: readonly number[], found: readonly Employee[]) {
  /** Ids of employees who were chosen without being seen: the team so far, or that of a draft. */
  const [unseen, setUnseen] = useState(ids);
  const team = useInfiniteQuery(employeesByIdQuery(unseen));
  // All of them: they are listed, and need to be checked for clashes too.
  const { hasNextPage, fetchNextPage, isFetching, isError } = team;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const members = useMemo(() => (team.data ? flatten(team.data).items : []), [team.data]);
  const seen = useSeen(found, members);
  const asked = new Set(unseen);
  // The form has taken over another team. Those that no longer exist are not asked for again.
  const further = ids.filter((id) => !seen.has(id) && !asked.has(id));
  if (further.length > 0) setUnseen([...unseen, ...further]);
  const picked = ids
    .flatMap((id) => seen.get(id) ?? [])
    .toSorted((one, other) => one.name.localeCompare(other.name, 'it'));
  const isTeamToCome = picked.length < ids.length && !isError && (team.isPending || hasNextPage);
  return { team, picked, isTeamToCome };
}

/**
 * Renders only the visible rows: thousands of checkboxes at once would block the browser. One of them is a Tab stop, and
 * the arrow keys move between them, so that Tab leads past the list.
 */
function Rows({
  employees,
  onNearEnd,
  children,
  renderRow,
}: {
  employees: readonly Employee[];
  /** Called when the last rows become visible, if there may be more. */
  onNearEnd?: () => void;
  /** Shown below the rows. */
  children: ReactNode;
  /** @param tabIndex of the row's checkbox */
  renderRow: (employee: Employee, tabIndex: 0 | -1) => ReactNode;
}) {
  const list = useRef<HTMLFieldSetElement>(null);
  const rows = useVirtualizer({
    count: employees.length,
    getScrollElement: () => list.current,
    getItemKey: (index) => employees[index]?.id ?? index,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  const visible = rows.getVirtualItems();
  const [current, setCurrent] = useState(0);
  // The current row may have been scrolled away.
  const stop = visible.some(({ index }) => index === current) ? current : visible[0]?.index;
  const last = visible.at(-1)?.index ?? 0;
  const nearEnd = last >= employees.length - ROWS_AHEAD;
  useEffect(() => {
    if (nearEnd) onNearEnd?.();
  }, [nearEnd, onNearEnd]);
  return (
    <fieldset
      ref={list}
      className={styles.list}
      tabIndex={-1}
      aria-label="Dipendenti"
      onFocus={({ target }) => {
        const row = target.closest<HTMLElement>('[data-index]');
        if (row) setCurrent(Number(row.dataset.index));
      }}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        const row = event.target.closest<HTMLElement>('[data-index]');
        const next = Number(row?.dataset.index) + step;
        event.currentTarget.querySelector<HTMLElement>(`[data-index="${next}"] input`)?.focus();
      }}
    >
      <div className={styles.rows} style={{ height: rows.getTotalSize() }}>
        {visible.map(({ key, index, start }) => {
          const employee = employees[index];
          return (
            employee && (
              <div
                key={key}
                ref={rows.measureElement}
                data-index={index}
                className={styles.option}
                style={{ transform: `translateY(${start}px)` }}
              >
                {renderRow(employee, index === stop ? 0 : -1)}
              </div>
            )
          );
        })}
      </div>
      {children}
    </fieldset>
  );
}

/** A row, rendered again only when it changes, so that a press on one does not render the others. */
const Row = memoWithStableHandlers(function Row({
  label,
  clash,
  checked,
  tabIndex,
  onToggle,
}: {
  label: string;
  /** The other project on the same days. */
  clash: string | undefined;
  checked: boolean;
  tabIndex: 0 | -1;
  onToggle: (checkbox: HTMLInputElement) => void;
}) {
  return (
    <Checkbox
      label={label}
      description={clash}
      checked={checked}
      tabIndex={tabIndex}
      onChange={({ currentTarget }) => onToggle(currentTarget)}
    />
  );
});

/** The checkbox that limits the list to chosen employees; it responds before the list is rendered. */
function OnlyChosen({
  checked,
  disabled,
  onChange,
}: {
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}) {
  const tick = usePromptTick(checked, onChange);
  return <Checkbox size="sm" label="Mostra solo chi è scelto" disabled={disabled} {...tick} />;
}

/** Stands for rows that are still to come. */
function RowsToCome() {
  return (
    <Waiting label="Caricamento dei dipendenti…">
      {[58, 44, 52].map((width) => (
        <Skeleton key={width} height={16} width={`${width}%`} margin="var(--space-4) var(--space-3)" />
      ))}
    </Waiting>
  );
}

/** Why a part of the list is missing, with a button to read it again. */
function ReadFailure({ lists }: { lists: readonly UseInfiniteQueryResult[] }) {
  const failed = lists.filter(({ isError }) => isError);
  if (failed.length === 0) return null;
  return (
    <Group p="xs" gap="xs" justify="space-between">
      <Text c="red" size="sm" role="alert">
        {failed[0]?.error?.message}
      </Text>
      <Button
        size="xs"
        variant="default"
        loading={failed.some(({ isFetching }) => isFetching)}
        onClick={(event) => {
          // The button disappears once the list is loaded: move the focus, so that it is not lost.
          event.currentTarget.closest('fieldset')?.focus({ preventScroll: true });
          failed.forEach(readAgain);
        }}
      >
        Riprova
      </Button>
    </Group>
  );
}

/** Says who of the chosen employees is elsewhere on the same days. */
function ClashWarning({ clashing }: { clashing: readonly { employee: Employee; clash: Assignment }[] }) {
  if (clashing.length === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={`${people(clashing.length)} ${clashing.length === 1 ? 'ha' : 'hanno'} un’altra trasferta negli stessi giorni`}
    >
      <ul className={styles.warnings}>
        {clashing.slice(0, 5).map(({ employee, clash }) => (
          <li key={employee.id}>
            {employee.name}: {clash.projectName}, {period(clash.startDate, clash.endDate)}
          </li>
        ))}
        {clashing.length > 5 && <li>{andOthers(clashing.length - 5, 'persona', 'persone')}</li>}
      </ul>
      Puoi salvare lo stesso.
    </Alert>
  );
}

function Picker({
  value,
  onChange,
  period,
  projectId,
  error,
}: {
  /** Ids of the chosen employees. */
  value: number[];
  onChange: (ids: number[]) => void;
  /** The project's dates; null while they are incomplete. */
  period: Period | null;
  /** The project being edited, whose own assignments are no clash. */
  projectId?: number;
  error?: string;
}) {
  const picker = useRef<HTMLFieldSetElement>(null);
  const [search, setSearch] = useState('');
  const [onlyChosen, setOnlyChosen] = useState(false);
  const [wanted] = useDebouncedValue(search.trim(), DEBOUNCE_MS);
  const query = useInfiniteQuery(
    employeesQuery({ search: wanted, sort: 'name', direction: 'asc', limit: PAGE }),
  );
  const { items, total } = useMemo(
    () => (query.data ? flatten(query.data) : { items: [], total: 0 }),
    [query.data],
  );
  const employees = useMemo(() => items.filter(({ sample }) => !sample), [items]);
  const { team, picked, isTeamToCome } = useChosen(value, employees);
  const chosen = new Set(value);
  const choosing = onlyChosen && value.length > 0;

  const { hasNextPage, fetchNextPage, isFetchingNextPage, isError: listFailed } = query;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !listFailed) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, listFailed, fetchNextPage]);

  function toggle(id: number, checkbox: HTMLInputElement) {
    // A deselected employee leaves this list, and the last one removes it: move the focus, so that it is not lost.
    if (choosing && value.length > 1) checkbox.closest('fieldset')?.focus();
    else if (choosing) {
      picker.current?.querySelector('input')?.focus();
      setOnlyChosen(false);
    }
    onChange(chosen.has(id) ? value.filter((entry) => entry !== id) : [...value, id]);
  }

  const nobody = query.isSuccess && employees.length === 0;
  const nobodyLeft = picked.length === 0 && !isTeamToCome && !team.isError;
  const none = (choosing ? nobodyLeft && NOBODY_LEFT : nobody && NOBODY_FOUND) || null;
  return (
    <fieldset ref={picker} className={styles.picker}>
      <legend className={styles.legend}>
        Assegna dipendenti esistenti
        <Text span c="dimmed" size="sm" fw={400}>
          {value.length === 0 ? '' : `${DOT}${counted(value.length, 'scelto', 'scelti')}`}
        </Text>
      </legend>
      {nobody && wanted === '' ? (
        <Text c="dimmed" size="sm">
          Non hai ancora dipendenti: aggiungi i primi qui sotto.
        </Text>
      ) : (
        <>
          <SearchInput
            // In an input of type search, Esc would clear the text as well as close the dialog.
            type="text"
            aria-label="Cerca per nome, ruolo o progetto"
            // Not below the list: here an error has a field for the focus.
            error={error}
            rightSection={query.isFetching ? <Loader size={16} /> : null}
            value={search}
            onChange={setSearch}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          <Rows
            // A new list, which starts at its top.
            key={choosing ? 'chosen' : wanted}
            employees={choosing ? picked : employees}
            onNearEnd={choosing ? undefined : readOn}
            renderRow={(employee, tabIndex) => {
              const clash = clashOf(employee, period, projectId);
              return (
                <Row
                  label={`${employee.name} - ${employee.role}`}
                  clash={
                    clash &&
                    `Già su ${clash.projectName} fino ${withArticle('al', formatDate(clash.endDate))}`
                  }
                  checked={chosen.has(employee.id)}
                  tabIndex={tabIndex}
                  onToggle={(checkbox) => toggle(employee.id, checkbox)}
                />
              );
            }}
          >
            {(choosing ? isTeamToCome : query.isPending) && <RowsToCome />}
            {none && (
              <Text c="dimmed" size="sm" p="xs" aria-hidden="true">
                {none}
              </Text>
            )}
            <ReadFailure lists={choosing ? [team] : [query, team]} />
          </Rows>
          {/* The list is remounted for each search, so its content is not announced. */}
          <div role="status" className="visually-hidden">
            {none}
          </div>
          <Group justify="space-between" gap="xs">
            <OnlyChosen checked={choosing} disabled={value.length === 0} onChange={setOnlyChosen} />
            {total > PAGE && (
              <Text c="dimmed" size="xs">
                {figure(total)} dipendenti: cerca per trovarli prima.
              </Text>
            )}
          </Group>
        </>
      )}
      <div role="status">
        <ClashWarning
          clashing={picked.flatMap((employee) => {
            const clash = clashOf(employee, period, projectId);
            return clash ? [{ employee, clash }] : [];
          })}
        />
      </div>
    </fieldset>
  );
}

/**
 * A checklist of the customer's employees, 'name - role', searched on the server and loaded on scrolling, so that it
 * works with thousands. Warns, without blocking, about people who are elsewhere on the same days.
 */
export const EmployeePicker = memoWithStableHandlers(
  Picker,
  // A form copies its lists on every keystroke in any of its fields.
  ({ value, ...before }, { value: nextValue, ...next }) =>
    shallowEqual(value, nextValue) && shallowEqual(before, next),
);
