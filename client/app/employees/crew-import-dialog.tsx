import {
  Alert,
  Button,
  Checkbox,
  FileButton,
  Group,
  NativeSelect,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFileUpload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useDeferredValue, useMemo, useRef, useState } from 'react';
import { teamStatsQuery } from '#client/app/projects/api.ts';
import { DEBOUNCE_MS } from '#client/lib/debounce.ts';
import { isRefused } from '#client/lib/failures.ts';
import { useKeptState } from '#client/lib/kept-forms.ts';
import { toast } from '#client/lib/toast.ts';
import { andOthers, counted, people } from '#client/lib/words.ts';
import { DialogFooter } from '#client/ui/dialog-footer.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { intoView } from '#client/ui/into-view.ts';
import { type LeaveWarning, useKeepOpen, useLeaveWarning } from '#client/ui/leave-warning.ts';
import { Waiting } from '#client/ui/list-skeletons.tsx';
import { Loaded } from '#client/ui/list-states.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import table from '#client/ui/table.module.css';
import { isSampleProject } from '#contract/projects.ts';
import { crewMatchesQuery, useImportCrew } from './api.ts';
import styles from './crew-import-dialog.module.css';
import { type CrewList, type CrewRow, listIn, readCrewList } from './crew-list.ts';
import {
  type ImportTarget,
  importOf,
  type KnownPeople,
  knownPeople,
  type Outcome,
  outcomeOf,
} from './crew-plan.ts';
import { useProjectOptions } from './project-options.ts';

/** Rows shown of a valid list; invalid rows come first and are all shown. */
const PREVIEW_ROWS = 50;

const KNOWN_OUTCOMES: Record<Outcome, string> = {
  added: 'Già nel team',
  'left out': 'Già nel team: non viene importata',
  assigned: 'Già nel team: viene assegnata al progetto',
  'on the project': 'Già nel progetto',
  ambiguous: 'Più persone del team hanno questo nome: assegna quella giusta dal progetto',
};

function OutcomeText({ row, known, target }: { row: CrewRow; known: KnownPeople; target: ImportTarget }) {
  if (!row.input) {
    return (
      <Text size="sm" c="red" fw={600}>
        {Object.values(row.errors).join('. ')}
      </Text>
    );
  }
  const warning = known.has(row.fullName)
    ? KNOWN_OUTCOMES[outcomeOf(row.fullName, known, target)]
    : row.repeated && 'Nome già presente nell’elenco';
  if (!warning) return 'Pronta';
  return (
    <Text size="sm" c="orange">
      {warning}
    </Text>
  );
}

type PreviewProps = { rows: readonly CrewRow[]; known: KnownPeople; target: ImportTarget };

const Preview = memo(function Preview({ rows, known, target }: PreviewProps) {
  const wrong = rows.filter(({ input }) => !input);
  const doubtful = rows.filter(({ input, repeated, fullName }) => input && (repeated || known.has(fullName)));
  const sound = rows.filter(({ input, repeated, fullName }) => input && !repeated && !known.has(fullName));
  const shown = [...wrong, ...doubtful, ...sound].slice(0, Math.max(PREVIEW_ROWS, wrong.length));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached with the keyboard
    <section className={styles.preview} tabIndex={0} aria-label="Anteprima dell’elenco">
      <table className={table.table} data-small>
        <caption className="visually-hidden">Anteprima dell’elenco</caption>
        <thead>
          <tr>
            <th scope="col">Riga</th>
            <th scope="col">Persona</th>
            <th scope="col">Esito</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.line}>
              <td>{row.line}</td>
              <td>
                {row.fullName || '—'}
                <Text size="xs" c="dimmed">
                  {[row.values.role, row.values.department, row.values.email, row.values.phone]
                    .filter(Boolean)
                    .join(', ')}
                </Text>
              </td>
              <td>
                <OutcomeText row={row} known={known} target={target} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <Text size="sm" c="dimmed" p="xs">
          {andOthers(rows.length - shown.length, 'riga', 'righe')}
        </Text>
      )}
    </section>
  );
});

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

type FindingsProps = {
  list: CrewList;
  /** The number of invalid rows. */
  wrong: number;
  /** What the import will do. */
  plan: ReturnType<typeof importOf>;
  /** The number of rows with the name of an employee. */
  repeated: number;
  /** Whether the look-up of employees with these names failed. */
  unchecked: boolean;
};

/** What there is to say about a list before it is imported. */
function Findings({ list: { rows, problem }, wrong, plan, repeated, unchecked }: FindingsProps) {
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

/** Looks up which of these people are already employees. */
function useKnownPeople(listed: readonly CrewRow[]) {
  // Invalid names are left out: one that is too long would make the server reject the whole look-up.
  const wanted = useMemo(() => listed.map(({ fullName }) => fullName), [listed]);
  const [names] = useDebouncedValue(wanted, DEBOUNCE_MS);
  const matches = useQuery({ ...crewMatchesQuery(names), placeholderData: keepPreviousData });
  const found = useMemo(() => knownPeople(matches.data?.matches), [matches.data]);
  return { found, checking: wanted !== names || matches.isFetching, unchecked: matches.isError };
}

const UNSENT_LIST: LeaveWarning = {
  title: 'Chiudere senza importare?',
  words: 'L’elenco non è ancora importato: se chiudi, va perso.',
  leave: 'Chiudi senza importare',
};

/** A list as sent, when it is being imported or unknown whether it was. */
type Unheard = { text: string; project: string; skipKnown: boolean; known: KnownPeople };

function ImportForm({ onClose }: { onClose: () => void }) {
  const [text, setText] = useKeptState('crew list', '');
  const [projectId, setProjectId] = useKeptState('crew project', '');
  const [failure, setFailure] = useState<string | null>(null);
  const importCrew = useImportCrew();
  useLeaveWarning(text.trim() ? UNSENT_LIST : null);
  useKeepOpen(importCrew.isPending);
  // Reading a long list and showing its lines takes longer than a letter has.
  const read = useDeferredValue(text);
  const list = useMemo(() => readCrewList(read), [read]);
  const { rows } = list;
  const wrong = rows.filter(({ input }) => !input).length;
  const [skipKnown, setSkipKnown] = useKeptState('crew without known', true);
  const sound = useMemo(() => rows.filter(({ input }) => input), [rows]);
  const { found, checking: lookingUp, unchecked } = useKnownPeople(sound);
  const projects = useQuery(teamStatsQuery);
  const options = useProjectOptions(
    (projects.data?.distribution ?? []).filter(({ projectId: id }) => !isSampleProject(id)),
  );
  // A project that was closed or deleted meanwhile is no longer offered, so it is not sent either.
  const chosen = options.some(({ value }) => value === projectId) ? projectId : '';
  const [unheard, setUnheard] = useKeptState<Unheard | null>('crew unheard', null);
  const again =
    unheard?.text === text && unheard.project === chosen && unheard.skipKnown === skipKnown ? unheard : null;
  // As long as nothing is changed, exactly the same people are sent again, so that they are added once (`creatingOnce`).
  // The look-up may already find them now; leaving any of them out would make it a different list.
  const known = again?.known ?? found;
  const checking = read !== text || (!again && lookingUp) || projects.isPending;
  const repeated = sound.filter(({ fullName }) => known.has(fullName)).length;
  const target = useMemo(
    () => ({ projectId: chosen === '' ? null : Number(chosen), skipKnown }),
    [chosen, skipKnown],
  );
  const plan = useMemo(() => importOf(sound, known, target), [sound, known, target]);
  const { employees, employeeIds } = plan;

  async function send() {
    setFailure(null);
    // From now on, because the look-up that follows an import finds the people just added, while the dialog closes.
    setUnheard({ text, project: chosen, skipKnown, known });
    try {
      const { added, assigned } = await importCrew.mutateAsync({
        employees,
        employeeIds,
        projectId: target.projectId,
      });
      const done = [
        added > 0 && `${counted(added, 'persona aggiunta', 'persone aggiunte')} al team`,
        assigned > 0 && `${counted(assigned, 'persona assegnata', 'persone assegnate')} al progetto`,
      ];
      toast({ title: 'Elenco importato', message: done.filter(Boolean).join(', ') });
      onClose();
    } catch (error) {
      if (isRefused(error)) setUnheard(again);
      setFailure(error instanceof Error ? error.message : String(error));
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
      <ListFileButton
        onRead={(result) => {
          setFailure('refusal' in result ? result.refusal : null);
          if ('list' in result) setText(result.list);
        }}
      />
      {/* Not below the preview: it would be out of sight when a file is chosen. */}
      {failure && (
        <Alert key={failure} color="red" role="alert" ref={intoView}>
          {failure}
        </Alert>
      )}
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
            onChange={(event) => setProjectId(event.currentTarget.value)}
          />
        )}
      </Loaded>
      <Findings list={list} wrong={wrong} plan={plan} repeated={repeated} unchecked={unchecked} />
      {repeated > 0 && (
        <Checkbox
          label="Non importare di nuovo chi è già nel team"
          checked={skipKnown}
          onChange={(event) => setSkipKnown(event.currentTarget.checked)}
        />
      )}
      {rows.length > 0 && <Preview rows={rows} known={known} target={target} />}
      <DialogFooter>
        <Button variant="default" onClick={onClose} disabled={importCrew.isPending}>
          Annulla
        </Button>
        <Button
          onClick={send}
          loading={importCrew.isPending}
          disabled={employees.length + employeeIds.length === 0 || wrong > 0}
          data-disabled={checking}
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
