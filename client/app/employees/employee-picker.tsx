import { Checkbox, Group, Loader, Text } from '@mantine/core';
import { shallowEqual, useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { DEBOUNCE_MS } from '#client/lib/debounce.ts';
import { flatten } from '#client/lib/list-pages.ts';
import { usePromptTick } from '#client/lib/use-prompt-tick.ts';
import { counted, DOT } from '#client/lib/words.ts';
import { SearchInput } from '#client/ui/search-input.tsx';
import { memoWithStableHandlers } from '#client/ui/stable-handlers.tsx';
import { formatDate, withArticle } from '#contract/dates.ts';
import { figure } from '#contract/figures.ts';
import { employeesQuery } from './api.ts';
import { ClashWarning, clashOf, type Period } from './clash-warning.tsx';
import styles from './employee-picker.module.css';
import { PickerRow, PickerRows, ReadFailure, RowsToCome } from './picker-rows.tsx';
import { useChosen } from './use-chosen.ts';

/** Employees per page; more pages are fetched on scrolling. */
const PAGE = 100;

const NOBODY_FOUND = 'Nessun dipendente corrisponde alla ricerca.';
const NOBODY_LEFT = 'Chi avevi scelto non esiste più.';

/** The customer's employees with this name, role or project, page by page. */
function useListed(search: string) {
  const query = useInfiniteQuery(employeesQuery({ search, sort: 'name', direction: 'asc', limit: PAGE }));
  const { items, total } = useMemo(
    () => (query.data ? flatten(query.data) : { items: [], total: 0 }),
    [query.data],
  );
  const employees = useMemo(() => items.filter(({ sample }) => !sample), [items]);
  const { hasNextPage, fetchNextPage, isFetchingNextPage, isError } = query;
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  return { query, employees, total, readOn };
}

/** The latest `value`, or the one from before the form was `sent`. */
function useBefore<Value>(sent: boolean, value: Value): Value {
  const before = useRef(value);
  if (!sent) before.current = value;
  return before.current;
}

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

function Legend({ count }: { count: number }) {
  return (
    <legend className={styles.legend}>
      Assegna dipendenti esistenti
      <Text span c="dimmed" size="sm" fw={400}>
        {count === 0 ? '' : `${DOT}${counted(count, 'scelto', 'scelti')}`}
      </Text>
    </legend>
  );
}

function Picker({
  value,
  onChange,
  period,
  projectId,
  sent,
  error,
}: {
  /** Ids of the chosen employees. */
  value: number[];
  onChange: (ids: number[]) => void;
  /** The project's dates; null while they are incomplete. */
  period: Period | null;
  /** The project being edited, whose own assignments are no clash. */
  projectId?: number;
  /** Whether the project is being saved, or was: once created, it would be found to clash with itself. */
  sent: boolean;
  error?: string;
}) {
  const picker = useRef<HTMLFieldSetElement>(null);
  const [search, setSearch] = useState('');
  const [onlyChosen, setOnlyChosen] = useState(false);
  const [wanted] = useDebouncedValue(search.trim(), DEBOUNCE_MS);
  const { query, employees: listed, total, readOn } = useListed(wanted);
  const employees = useBefore(sent, listed);
  const { team, picked: known, isTeamToCome } = useChosen(value, employees);
  const picked = useBefore(sent, known);
  const chosen = new Set(value);
  const choosing = onlyChosen && value.length > 0;

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
  const found = wanted !== '' && query.data && !choosing ? counted(total, 'risultato', 'risultati') : null;
  return (
    <fieldset ref={picker} className={styles.picker}>
      <Legend count={value.length} />
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
          <PickerRows
            // A new list, which starts at its top.
            key={choosing ? 'chosen' : wanted}
            employees={choosing ? picked : employees}
            onNearEnd={choosing ? undefined : readOn}
            renderRow={(employee, tabIndex) => {
              const clash = clashOf(employee, period, projectId);
              return (
                <PickerRow
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
          </PickerRows>
          {/* The list is remounted for each search, so its content is not announced. */}
          <div role="status" className="visually-hidden">
            {none ?? found}
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
      <ClashWarning employees={picked} period={period} projectId={projectId} />
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
