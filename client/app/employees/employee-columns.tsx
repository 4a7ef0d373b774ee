import { Avatar, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Badge } from '#client/ui/badge.tsx';
import type { Column } from '#client/ui/data-table-row.tsx';
import { SampleBadge } from '#client/ui/sample-badge.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { type Employee, initials, overlappingAssignments } from '#contract/employees.ts';
import styles from './found-employees.module.css';

/** Columns of the table of all employees. */
export const EMPLOYEE_COLUMNS: Column<Employee>[] = [
  {
    key: 'name',
    header: 'Nome',
    tableOnly: true,
    cell: (employee) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar className={styles.avatar} color="petrol" radius="xl" size="sm" aria-hidden="true">
          {initials(employee.name)}
        </Avatar>
        <div className={styles.name}>
          <Text span fw={600} inherit>
            {employee.name}
          </Text>
          {employee.sample && (
            <>
              {' '}
              <SampleBadge />
            </>
          )}
        </div>
      </Group>
    ),
  },
  { key: 'role', header: 'Ruolo', cell: ({ role }) => <span className={styles.role}>{role}</span> },
  {
    key: 'project',
    header: 'Progetto',
    cell: ({ project, assignments }) => (
      <span className={styles.project}>
        <span>{project}</span>
        {overlappingAssignments(assignments).length > 0 && (
          <Badge tone="orange" icon={IconAlertTriangle}>
            date sovrapposte
          </Badge>
        )}
      </span>
    ),
  },
  {
    key: 'location',
    header: 'Località',
    cell: ({ location }) => <div className={styles.location}>{location}</div>,
  },
  {
    key: 'status',
    header: 'Stato',
    tableOnly: true,
    cell: ({ status }) => (
      <div className={styles.whole}>
        <StatusBadge status={status} />
      </div>
    ),
  },
];
