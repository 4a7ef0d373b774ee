import { Button } from '@mantine/core';
import { IconFileImport, IconPencil, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { memo, useCallback, useRef, useState } from 'react';
import { useAddressSearch } from '#client/lib/address-filters.ts';
import { useDialog } from '#client/lib/use-dialog.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { DataTable } from '#client/ui/data-table.tsx';
import { Hint } from '#client/ui/hint.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { useDeferredRender } from '#client/ui/incremental-render.ts';
import { EmptyState, Loaded, LoadMore, RowsSkeleton } from '#client/ui/list-states.tsx';
import { RowButton } from '#client/ui/row-button.tsx';
import { Section } from '#client/ui/section.tsx';
import { toast } from '#client/ui/toast.ts';
import {
  EMPLOYEE_ROLES,
  EMPLOYEE_SORTS,
  EMPLOYEE_STATUSES,
  EMPLOYEE_TEXTS,
  type Employee,
} from '#contract/employees.ts';
import { PROJECT_TEXTS, type TeamStats } from '#contract/projects.ts';
import { employeesQuery, flatten, useDeleteEmployee } from './api.ts';
import { CrewImportDialog } from './crew-import-dialog.tsx';
import { EMPLOYEE_COLUMNS } from './employee-columns.tsx';
import { EmployeeDialog } from './employee-dialog.tsx';
import { EmployeeHistory } from './employee-history.tsx';
import { Filters } from './filters.tsx';
import styles from './full-team.module.css';
import { RecordBadges } from './record-badges.tsx';
import { useScrollToSearch } from './scroll-to-search.ts';
import { StatusSelect } from './status-select.tsx';

const ORDERS = [
  { value: 'createdAt:desc', label: 'Più recenti' },
  { value: 'name:asc', label: 'Nome A–Z' },
  { value: 'role:asc', label: 'Ruolo' },
  { value: 'status:asc', label: 'Stato' },
] as const;

/** Value of the project filter for people on no project 'In corso'. */
const UNASSIGNED = '0';

const nameOf = ({ name }: Employee) => name;
const historyOf = (employee: Employee) => <EmployeeHistory employee={employee} />;
const badgeOf = ({ status, sample }: Employee) => <RecordBadges status={status} sample={sample} />;

/** What the list is asked for: the search and the choices above it. */
type Criteria = {
  search: string;
  status?: Employee['status'] | undefined;
  role: string;
  projectId: string;
  order: string;
};
const UNFILTERED: Criteria = { search: '', role: '', projectId: '', order: ORDERS[0].value };

function teamQuery({ search, status, role, projectId, order }: Criteria) {
  const [sortName, direction] = order.split(':');
  return employeesQuery({
    search,
    status,
    role,
    projectId: projectId === '' ? undefined : Number(projectId),
    sort: EMPLOYEE_SORTS.find((sort) => sort === sortName) ?? 'createdAt',
    direction: direction === 'asc' ? 'asc' : 'desc',
  });
}

/** What the list shows before anything but a text is chosen: for whoever asks for it before it is rendered. */
export function firstTeamQuery(search: string) {
  return teamQuery({ ...UNFILTERED, search });
}

/** Everybody, searched and filtered, and the dialogs about them. Memoised: it is most of the page. */
export const FullTeam = memo(function FullTeam({ projects }: { projects: TeamStats['distribution'] }) {
  const search = useAddressSearch();
  const [status, setStatus] = useState<Employee['status']>();
  const [role, setRole] = useState('');
  const [wantedProject, setWantedProject] = useState('');
  const places = [
    { value: '', label: 'Tutti i progetti' },
    { value: UNASSIGNED, label: 'Senza progetto' },
    ...projects.map(({ projectId: id, name }) => ({ value: String(id), label: name })),
  ];
  // A project that was closed or deleted meanwhile can be seen no more, and filters nothing either.
  const projectId = places.some(({ value }) => value === wantedProject) ? wantedProject : '';
  const [order, setOrder] = useState(UNFILTERED.order);
  const query = useInfiniteQuery(teamQuery({ search: search.settled, status, role, projectId, order }));
  const filtered = search.settled !== '' || status !== undefined || role !== '' || projectId !== '';
  const empty = !filtered && query.data !== undefined && flatten(query.data).items.length === 0;
  const form = useDialog<Employee | undefined>('employee');
  const removal = useDialog<Employee>('employee removal');
  const crew = useDialog<undefined>('crew');
  const remove = useDeleteEmployee();
  const following = useDeferredRender();
  const section = useRef<HTMLElement>(null);
  useScrollToSearch(section);
  const { open: edit } = form;
  const { open: askToRemove } = removal;
  const actions = useCallback(
    (employee: Employee) => (
      <div className={styles.actions}>
        <StatusSelect person={employee} />
        <Hint label="Modifica">
          <IconButton
            aria-label={`Modifica ${employee.name}`}
            disabled={employee.sample}
            onClick={() => edit(employee)}
          >
            <IconPencil size={20} stroke={1.75} aria-hidden="true" />
          </IconButton>
        </Hint>
        <RowButton
          look="danger"
          aria-label={`Elimina ${employee.name}`}
          disabled={employee.sample}
          onClick={() => askToRemove(employee)}
        >
          Elimina
        </RowButton>
      </div>
    ),
    [edit, askToRemove],
  );

  return (
    <Section
      ref={section}
      title="Team Completo"
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconFileImport size={18} aria-hidden="true" />}
            onClick={() => crew.open(undefined)}
          >
            Importa elenco
          </Button>
          <Button
            leftSection={<IconUserPlus size={18} aria-hidden="true" />}
            onClick={() => form.open(undefined)}
          >
            Aggiungi dipendente
          </Button>
        </>
      }
    >
      {!empty && (
        <Filters
          search={search.typed}
          searchLabel="Cerca nome, ruolo, email o progetto"
          onSearch={search.setTyped}
          choices={[
            {
              label: 'Filtra per stato',
              value: status ?? '',
              options: [
                { value: '', label: 'Tutti gli stati' },
                ...EMPLOYEE_STATUSES.map((value) => ({ value, label: value })),
              ],
              onChange: (value) => setStatus(EMPLOYEE_STATUSES.find((entry) => entry === value)),
            },
            {
              label: 'Filtra per ruolo',
              value: role,
              options: [
                { value: '', label: 'Tutti i ruoli' },
                ...EMPLOYEE_ROLES.map((value) => ({ value, label: value })),
              ],
              onChange: setRole,
            },
            {
              label: 'Filtra per progetto',
              value: projectId,
              options: places,
              onChange: setWantedProject,
            },
            { label: 'Ordina per', value: order, options: ORDERS, onChange: setOrder },
          ]}
        />
      )}
      {following && (
        <Loaded
          query={query}
          skeleton={<RowsSkeleton label={PROJECT_TEXTS.loading} />}
          errorTitle={PROJECT_TEXTS.loadFailed}
          errorHint={PROJECT_TEXTS.loadHint}
        >
          {(data) => {
            const { items, total } = flatten(data);
            if (items.length === 0) {
              return filtered ? (
                <EmptyState icon={IconUsers} title="Nessun dipendente corrisponde alla ricerca">
                  Cambia le parole cercate o i filtri.
                </EmptyState>
              ) : (
                <EmptyState icon={IconUsers} title={EMPLOYEE_TEXTS.empty} />
              );
            }
            return (
              <>
                <DataTable
                  caption="Team completo"
                  tableFrom={59}
                  dense
                  rows={items}
                  rowKey={({ id }) => id}
                  title={nameOf}
                  columns={EMPLOYEE_COLUMNS}
                  cardBadge={badgeOf}
                  details={historyOf}
                  actions={actions}
                />
                <LoadMore shown={items.length} total={total} pages={query} />
              </>
            );
          }}
        </Loaded>
      )}

      <EmployeeDialog opened={form.opened} employee={form.subject} onClose={form.close} />
      <CrewImportDialog opened={crew.opened} projects={projects} onClose={crew.close} />
      <ConfirmDialog
        opened={removal.opened}
        title="Elimina dipendente"
        confirmLabel="Elimina"
        busyLabel="Eliminando..."
        onClose={removal.close}
        onConfirm={async () => {
          if (!removal.subject) return;
          await remove.mutateAsync(removal.subject.id);
          toast({ title: EMPLOYEE_TEXTS.deleted });
        }}
      >
        Vuoi eliminare <strong>{removal.subject?.name}</strong>? Sparisce da tutti i progetti, con la sua
        cronologia.
      </ConfirmDialog>
    </Section>
  );
});
