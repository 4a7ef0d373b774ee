import { Alert, Button, Checkbox, FileButton, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { counted, people } from '#client/lib/words.ts';
import { DialogFooter } from '#client/ui/dialog-footer.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { Textarea } from '#client/ui/inputs.tsx';
import { intoView } from '#client/ui/into-view.ts';
import { type LeaveWarning, useKeepOpen, useLeaveWarning } from '#client/ui/leave-warning.ts';
import { Waiting } from '#client/ui/list-skeletons.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { listIn } from './crew-list.ts';
import { CrewPreview } from './crew-preview.tsx';
import { type CrewImport, useCrewImport } from './use-crew-import.ts';

function importLabel(added: number, assigned: number): string {
  if (added > 0) return `Importa ${people(added)}`;
  return assigned > 0 ? `Assegna ${people(assigned)}` : 'Importa';
}

/** Reads a list from a file. */
function ListFileButton({ onRead }: { onRead: (read: Awaited<ReturnType<typeof listIn>>) => void }) {
  const forgetFile = useRef<() => void>(null);
  async function open(file: File | null) {
    if (!file) return;
    // Otherwise the same file could not be chosen again after a correction.
    forgetFile.current?.();
    onRead(await listIn(file));
  }
  return (
    <Group gap="sm">
      <FileButton accept=".csv,.tsv,.txt,text/csv,text/plain" resetRef={forgetFile} onChange={open}>
        {(props) => (
          <Button variant="default" leftSection={<IconFileUpload size={18} aria-hidden="true" />} {...props}>
            Carica file CSV
          </Button>
        )}
      </FileButton>
    </Group>
  );
}

/** The project that the people join; without the projects, the import goes on without one. */
function ProjectChoice({ projects, options, chosen, choose }: CrewImport['project']) {
  return (
    <Loaded
      query={projects}
      skeleton={
        <Waiting>
          <Skeleton height={80} />
        </Waiting>
      }
      errorLine="Progetti non caricati, per ora si importa senza"
    >
      {() => (
        <NativeSelect
          label="Progetto"
          description="Le persone nuove assegnate a un progetto risultano in trasferta"
          value={chosen}
          data={[{ value: '', label: 'Nessun progetto' }, ...options]}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      )}
    </Loaded>
  );
}

/** What there is to say about a list before it is imported. */
function Findings({
  list: { rows, problem },
  wrong,
  plan,
  repeated,
  unchecked,
}: Pick<CrewImport, 'list' | 'wrong' | 'plan' | 'repeated' | 'unchecked'>) {
  return (
    <div role="status">
      {problem && <Alert color="red">{problem}</Alert>}
      {wrong > 0 && (
        <Alert color="red">
          {counted(wrong, 'riga', 'righe')} da correggere prima di importare: nulla viene importato finché non
          confermi.
        </Alert>
      )}
      {rows.length > 0 && wrong === 0 && (
        <Text fw={600}>
          {people(plan.employees.length)} da importare
          {plan.employeeIds.length > 0 && `, ${people(plan.employeeIds.length)} da assegnare al progetto`}
        </Text>
      )}
      {unchecked && wrong === 0 && (
        <Alert color="orange" mt="xs">
          Non riusciamo a controllare chi è già nel team: puoi importare lo stesso.
        </Alert>
      )}
      {repeated > 0 && (
        <Alert color="orange" mt="xs">
          {repeated === 1
            ? 'Una persona è già nel team con lo stesso nome.'
            : `${people(repeated)} sono già nel team con lo stesso nome.`}
        </Alert>
      )}
    </div>
  );
}

const UNSENT_LIST: LeaveWarning = {
  title: 'Chiudere senza importare?',
  words: 'L’elenco non è ancora importato: se chiudi, va perso.',
  leave: 'Chiudi senza importare',
};

function ImportForm({ onClose }: { onClose: () => void }) {
  const crew = useCrewImport(onClose);
  const { text, setText, list, wrong, repeated, plan, failure, takeFile, sending } = crew;
  const { rows } = list;
  const { employees, employeeIds } = plan;
  useLeaveWarning(text.trim() ? UNSENT_LIST : null);
  useKeepOpen(sending);
  return (
    <Stack>
      <Text size="sm">
        Incolla le righe da un foglio di calcolo o carica un file CSV. Colonne: <strong>Nome, Cognome</strong>
        , Ruolo, Reparto, Email, Telefono. Vanno bene anche solo i nomi, uno per riga.
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
      <ListFileButton onRead={takeFile} />
      {/* Not below the preview: it would be out of sight when a file is chosen. */}
      {failure && (
        <Alert key={failure.at} color="red" role="alert" ref={intoView}>
          {failure.words}
        </Alert>
      )}
      <ProjectChoice {...crew.project} />
      <Findings {...crew} />
      {crew.otherRoles > 0 && (
        <Checkbox
          label="Importa i ruoli non previsti come «Non specificato»"
          checked={crew.anyRole}
          onChange={(event) => crew.setAnyRole(event.currentTarget.checked)}
        />
      )}
      {repeated > 0 && (
        <Checkbox
          label="Non importare di nuovo chi è già nel team"
          checked={crew.skipKnown}
          onChange={(event) => crew.setSkipKnown(event.currentTarget.checked)}
        />
      )}
      {rows.length > 0 && <CrewPreview rows={rows} known={crew.known} target={crew.target} />}
      <DialogFooter>
        <Button variant="default" onClick={onClose} disabled={sending}>
          Annulla
        </Button>
        <Button
          onClick={crew.send}
          loading={sending}
          disabled={employees.length + employeeIds.length === 0 || wrong > 0}
          data-disabled={crew.checking}
        >
          {importLabel(wrong > 0 ? 0 : employees.length, wrong > 0 ? 0 : employeeIds.length)}
        </Button>
      </DialogFooter>
    </Stack>
  );
}

/** Imports a crew from a pasted table or a CSV file: previewed row by row, imported all or nothing. */
export function CrewImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Importa elenco del personale"
      size="lg"
      fullScreenOnPhone
    >
      <ImportForm onClose={onClose} />
    </FormDialog>
  );
}
