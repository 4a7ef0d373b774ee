import { IconPencil, IconUsers } from '@tabler/icons-react';
import { type ComponentProps, useCallback } from 'react';
import { DataTable } from '#client/ui/data-table.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { EmptyState } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { RecordBadges } from '#client/ui/record-badges.tsx';
import { RowButton } from '#client/ui/row-button.tsx';
import { SamplesNote } from '#client/ui/samples-note.tsx';
import { EMPLOYEE_TEXTS, type Employee } from '#contract/employees.ts';
import { EMPLOYEE_COLUMNS } from './employee-columns.tsx';
import { EmployeeHistory } from './employee-history.tsx';
import styles from './found-employees.module.css';
import { StatusSelect } from './status-select.tsx';

/** The name of an employee, as it is. */
export const nameOf = ({ name }: Employee) => name;
const historyOf = (employee: Employee) => <EmployeeHistory employee={employee} />;
const badgeOf = ({ status, sample }: Employee) => <RecordBadges status={status} sample={sample} />;

/** The status and the buttons at the end of an employee's row. */
function EmployeeRowActions({
  employee,
  name,
  onEdit,
  onDelete,
}: {
  employee: Employee;
  /** Told apart from others of the same name. */
  name: string;
  onEdit: (employee: Employee) => void;
  onDelete: (employee: Employee) => void;
}) {
  return (
    <div className={styles.actions}>
      <StatusSelect person={employee} name={name} />
      <IconButton aria-label={`Modifica ${name}`} sample={employee.sample} onClick={() => onEdit(employee)}>
        <IconPencil size={20} stroke={1.75} aria-hidden="true" />
      </IconButton>
      <RowButton
        look="danger"
        aria-label={`Elimina ${name}`}
        sample={employee.sample}
        onClick={() => onDelete(employee)}
      >
        Elimina
      </RowButton>
    </div>
  );
}

/** The employees who match, with what can be done with each; or that there are none. */
export function FoundEmployees({
  items,
  total,
  pages,
  filtered,
  distinctName,
  onEdit,
  onDelete,
}: {
  items: readonly Employee[];
  /** How many there are with those not read yet. */
  total: number;
  pages: ComponentProps<typeof LoadMore>['pages'];
  /** Whether others are left out by the search or a filter. */
  filtered: boolean;
  distinctName: (employee: Employee) => string;
  onEdit: (employee: Employee) => void;
  onDelete: (employee: Employee) => void;
}) {
  const actions = useCallback(
    (employee: Employee) => (
      <EmployeeRowActions
        employee={employee}
        name={distinctName(employee)}
        onEdit={onEdit}
        onDelete={onDelete}
      />
    ),
    [onEdit, onDelete, distinctName],
  );
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
      {items[0]?.sample && (
        <SamplesNote title={filtered ? 'Queste persone sono esempi' : EMPLOYEE_TEXTS.empty} fixed>
          {!filtered && 'Intanto ecco cinque esempi.'}
        </SamplesNote>
      )}
      <DataTable
        caption="Team completo"
        tableFrom={59}
        rows={items}
        rowKey={({ id }) => id}
        title={distinctName}
        cardTitle={nameOf}
        columns={EMPLOYEE_COLUMNS}
        cardBadge={badgeOf}
        details={historyOf}
        actions={actions}
      />
      <LoadMore shown={items.length} total={total} pages={pages} />
    </>
  );
}
