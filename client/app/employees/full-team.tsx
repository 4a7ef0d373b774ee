import { Button } from '@mantine/core';
import { IconFileImport, IconUserPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { memo, useMemo, useRef } from 'react';
import { useAddressFilters, useAddressSearch } from '#client/lib/address-filters.ts';
import { flatten } from '#client/lib/list-pages.ts';
import { useDistinctNames } from '#client/lib/namesakes.ts';
import { useScrollToSearch } from '#client/lib/scroll-to-search.ts';
import { toast } from '#client/lib/toast.ts';
import { useDialog } from '#client/lib/use-dialog.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { ExportMenu } from '#client/ui/export-menu.tsx';
import { useDeferredRender } from '#client/ui/incremental-render.ts';
import { RowsSkeleton } from '#client/ui/list-skeletons.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import { Section } from '#client/ui/section.tsx';
import { EMPLOYEE_TEXTS, type Employee } from '#contract/employees.ts';
import { PROJECT_TEXTS, type TeamStats } from '#contract/projects.ts';
import { employeesQuery, exportEmployees, useDeleteEmployee } from './api.ts';
import { CrewImportDialog } from './crew-import-dialog.tsx';
import { EmployeeDialog } from './employee-dialog.tsx';
import { FoundEmployees, nameOf } from './found-employees.tsx';
import { criteriaIn, filtersOf, TeamFilters } from './team-filters.tsx';

const detailsOf = ({ email, role, project }: Employee) => email ?? `${role}, ${project}`;

type Projects = TeamStats['distribution'];

const NO_PROJECTS: Projects = [];

/** Asks before an employee is deleted. */
function RemovalDialog({
  opened,
  employee,
  name,
  onClose,
}: {
  opened: boolean;
  employee: Employee | undefined;
  name: string | undefined;
  onClose: () => void;
}) {
  const remove = useDeleteEmployee();
  return (
    <ConfirmDialog
      opened={opened}
      title="Elimina dipendente"
      confirmLabel="Elimina"
      busyLabel="Eliminando..."
      onClose={onClose}
      onConfirm={async () => {
        if (!employee) return;
        await remove.mutateAsync(employee.id);
        toast({ title: EMPLOYEE_TEXTS.deleted });
      }}
    >
      Vuoi eliminare <strong>{name}</strong>? Sparisce da tutti i progetti, con la sua cronologia.
    </ConfirmDialog>
  );
}

/** All employees with search and filters, and their dialogs. Memoized, because it is most of the page. */
export const FullTeam = memo(function FullTeam({
  projects,
}: {
  /** Projects to filter by; undefined while unknown. */
  projects: Projects | undefined;
}) {
  const search = useAddressSearch();
  const [parameters] = useAddressFilters();
  const criteria = criteriaIn(parameters, projects);
  const filters = filtersOf(search.settled, parameters, projects);
  const query = useInfiniteQuery(employeesQuery(filters));
  const { status, role, projectId } = criteria;
  const filtered = [search.settled || undefined, status, role, projectId].some(
    (entry) => entry !== undefined,
  );
  const items = useMemo(() => (query.data ? flatten(query.data).items : []), [query.data]);
  const distinctName = useDistinctNames(items, nameOf, detailsOf);
  const empty = !filtered && query.data !== undefined && items.length === 0;
  const form = useDialog<Employee | undefined>('employee');
  const removal = useDialog<Employee>('employee removal');
  const crew = useDialog<undefined>('crew');
  const following = useDeferredRender();
  const section = useRef<HTMLElement>(null);
  useScrollToSearch(section);

  return (
    <Section
      ref={section}
      title="Team Completo"
      actions={
        <>
          {items[0]?.sample !== true && (
            <ExportMenu name="team" load={(format) => exportEmployees(filters, format)} />
          )}
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
      {!empty && <TeamFilters search={search} criteria={criteria} projects={projects ?? NO_PROJECTS} />}
      {following && (
        <Loaded
          query={query}
          skeleton={<RowsSkeleton label={PROJECT_TEXTS.loading} />}
          errorTitle={PROJECT_TEXTS.loadFailed}
          errorHint={PROJECT_TEXTS.loadHint}
        >
          {(data) => (
            <FoundEmployees
              items={items}
              total={flatten(data).total}
              pages={query}
              filtered={filtered}
              distinctName={distinctName}
              onEdit={form.open}
              onDelete={removal.open}
            />
          )}
        </Loaded>
      )}

      <EmployeeDialog opened={form.opened} employee={form.subject} onClose={form.close} />
      <CrewImportDialog opened={crew.opened} onClose={crew.close} />
      <RemovalDialog
        opened={removal.opened}
        employee={removal.subject}
        name={removal.subject && distinctName(removal.subject)}
        onClose={removal.close}
      />
    </Section>
  );
});
