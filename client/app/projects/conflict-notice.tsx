import { Alert, Button, Group, Table } from '@mantine/core';
import { IconGitCompare } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';

/** One field of a record in the version being written and in the saved one, as text. */
export type Difference = { field: string; mine: string; saved: string };

/** Tells that a record changed while it was being edited, shows both versions, and lets the person choose. */
export function ConflictNotice({
  differences,
  onKeepMine,
  onTakeSaved,
}: {
  differences: readonly Difference[];
  onKeepMine: () => void;
  onTakeSaved: () => void;
}) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    notice.current?.focus();
    notice.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const changed = differences.filter(({ mine, saved }) => mine !== saved);
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      role="alert"
      color="orange"
      mb="md"
      icon={<IconGitCompare aria-hidden="true" />}
      title="Qualcuno ha modificato questi dati mentre li stavi cambiando"
    >
      Nulla è stato sovrascritto. Confronta le due versioni e scegli quale tenere.
      <Table mt="sm" horizontalSpacing="xs" verticalSpacing={4} fz="sm" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Campo</Table.Th>
            <Table.Th scope="col">La tua versione</Table.Th>
            <Table.Th scope="col">Versione salvata</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changed.map(({ field, mine, saved }) => (
            <Table.Tr key={field} style={{ overflowWrap: 'anywhere' }}>
              <Table.Th scope="row">{field}</Table.Th>
              <Table.Td>{mine || '—'}</Table.Td>
              <Table.Td>{saved || '—'}</Table.Td>
            </Table.Tr>
          ))}
          {changed.length === 0 && (
            <Table.Tr>
              <Table.Td colSpan={3}>Le due versioni sono uguali.</Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
      <Group mt="sm" gap="xs">
        <Button size="sm" variant="default" onClick={onTakeSaved}>
          Usa la versione salvata
        </Button>
        <Button size="sm" onClick={onKeepMine}>
          Salva la mia versione
        </Button>
      </Group>
    </Alert>
  );
}
