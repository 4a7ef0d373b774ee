import {
  Alert,
  Button,
  FileButton,
  Group,
  Modal,
  NativeSelect,
  Stack,
  Table,
  Text,
  Textarea,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFileUpload } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { toast } from '#client/ui/toast.ts';
import { EMPLOYEE_FAILURES } from '#contract/employees.ts';
import { isSampleProject, type TeamStats } from '#contract/projects.ts';
import { useImportCrew } from './api.ts';
import styles from './crew-import-dialog.module.css';
import { type CrewRow, readCrewList } from './crew-list.ts';
import { failureText } from './failures.ts';
import { people } from './words.ts';

/** Lines in sight of a sound list; wrong ones are always all shown first. */
const PREVIEW_ROWS = 50;

function Preview({ rows }: { rows: readonly CrewRow[] }) {
  const wrong = rows.filter(({ input }) => !input);
  const sound = rows.filter(({ input }) => input);
  const shown = [...wrong, ...sound].slice(0, Math.max(PREVIEW_ROWS, wrong.length));
  return (
    <div className={styles.preview}>
      <Table verticalSpacing={6} horizontalSpacing="xs" fz="sm">
        <caption className="visually-hidden">Anteprima dell’elenco</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Riga</Table.Th>
            <Table.Th scope="col">Persona</Table.Th>
            <Table.Th scope="col">Esito</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ line, values, input, errors, repeated }) => (
            <Table.Tr key={line}>
              <Table.Td>{line}</Table.Td>
              <Table.Td>
                {`${values.name} ${values.surname}`.trim() || '—'}
                <Text size="xs" c="dimmed">
                  {[values.role, values.department, values.email, values.phone].filter(Boolean).join(' · ')}
                </Text>
              </Table.Td>
              <Table.Td>
                {input ? (
                  repeated ? (
                    <Text size="sm" c="orange">
                      Nome già presente nell’elenco
                    </Text>
                  ) : (
                    'Pronta'
                  )
                ) : (
                  <Text size="sm" c="red" fw={600}>
                    {Object.values(errors).join(' ')}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > shown.length && (
        <Text size="sm" c="dimmed" p="xs">
          e altre {rows.length - shown.length} righe pronte
        </Text>
      )}
    </div>
  );
}

function ImportForm({ projects, onClose }: { projects: TeamStats['distribution']; onClose: () => void }) {
  const [text, setText] = useState('');
  const [projectId, setProjectId] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const importCrew = useImportCrew();
  const { rows, problem } = useMemo(() => readCrewList(text), [text]);
  const wrong = rows.filter(({ input }) => !input).length;
  const ready = rows.flatMap(({ input }) => input ?? []);
  const real = projects.filter(({ projectId: id }) => !isSampleProject(id));

  async function send() {
    setFailure(null);
    try {
      const { added } = await importCrew.mutateAsync({
        employees: ready,
        projectId: projectId === '' ? null : Number(projectId),
      });
      toast({ title: 'Elenco importato', message: `${people(added)} nel team` });
      onClose();
    } catch (error) {
      setFailure(`${failureText(error, EMPLOYEE_FAILURES.add)}. Nessuna persona è stata importata.`);
    }
  }

  return (
    <Stack>
      <Text size="sm">
        Incolla le righe da un foglio di calcolo o carica un file CSV. Colonne: <strong>Nome, Cognome</strong>
        , Ruolo, Reparto, Email, Telefono.
      </Text>
      <Textarea
        label="Elenco del personale"
        placeholder={'Nome;Cognome;Ruolo;Reparto;Email;Telefono\nMario;Rossi;Tecnico;Montaggi;;333 1234567'}
        autosize
        minRows={5}
        maxRows={10}
        value={text}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group gap="sm">
        <FileButton
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={async (file) => file && setText(await file.text())}
        >
          {(props) => (
            <Button
              variant="default"
              leftSection={<IconFileUpload size={18} aria-hidden="true" />}
              {...props}
            >
              Carica file CSV
            </Button>
          )}
        </FileButton>
      </Group>
      <NativeSelect
        label="Progetto"
        description="Chi viene assegnato a un progetto risulta in trasferta"
        value={projectId}
        data={[
          { value: '', label: 'Nessun progetto' },
          ...real.map(({ projectId: id, name }) => ({ value: String(id), label: name })),
        ]}
        onChange={(event) => setProjectId(event.currentTarget.value)}
      />
      <div role="status">
        {problem && <Alert color="red">{problem}</Alert>}
        {wrong > 0 && (
          <Alert color="red">
            {wrong === 1 ? '1 riga da correggere' : `${wrong} righe da correggere`} prima di importare: nulla
            viene importato finché non confermi.
          </Alert>
        )}
        {rows.length > 0 && wrong === 0 && <Text fw={600}>{people(ready.length)} da importare</Text>}
      </div>
      {rows.length > 0 && <Preview rows={rows} />}
      {failure && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={importCrew.isPending}>
          Annulla
        </Button>
        <Button onClick={send} loading={importCrew.isPending} disabled={ready.length === 0 || wrong > 0}>
          {ready.length > 0 && wrong === 0 ? `Importa ${people(ready.length)}` : 'Importa'}
        </Button>
      </Group>
    </Stack>
  );
}

/** Adds a whole crew from a pasted table or a CSV file: previewed line by line, imported all or nothing. */
export function CrewImportDialog({
  opened,
  projects,
  onClose,
}: {
  opened: boolean;
  projects: TeamStats['distribution'];
  onClose: () => void;
}) {
  const phone = useMediaQuery('(max-width: 48em)');
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Importa elenco del personale"
      size="lg"
      fullScreen={phone}
      closeOnClickOutside={false}
    >
      <ImportForm projects={projects} onClose={onClose} />
    </Modal>
  );
}
