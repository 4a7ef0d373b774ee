import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form';
import { IconTrash, IconUserPlus } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useDraft } from '#client/lib/drafts.ts';
import { takeOver, useEditConflict } from '#client/lib/edit-conflict.ts';
import { worded } from '#client/lib/failures.ts';
import { useMe } from '#client/lib/session.ts';
import { people } from '#client/lib/words.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { ConflictNotice, type Difference } from '#client/ui/conflict-notice.tsx';
import { DateField } from '#client/ui/date-field.tsx';
import { FormFooter } from '#client/ui/dialog-footer.tsx';
import { EuroField } from '#client/ui/euro-field.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { NativeSelect, TextInput } from '#client/ui/inputs.ts';
import { toast } from '#client/ui/toast.ts';
import { formatDate, isCalendarDate, todayInRome } from '#contract/dates.ts';
import { EMPLOYEE_LIMITS, EMPLOYEE_ROLES, isCompleteMember, type NewMember } from '#contract/employees.ts';
import { formatEuro } from '#contract/money.ts';
import {
  defaultEndDate,
  PROJECT_FAILURES,
  PROJECT_LIMITS,
  PROJECT_TEXTS,
  type Project,
  projectChangeSchema,
  projectInputSchema,
  projectSchema,
} from '#contract/projects.ts';
import { useChangeProject, useCreateProject } from './api.ts';
import { EmployeePicker } from './employee-picker.tsx';
import { errorsOf } from './form-errors.ts';
import styles from './project-dialog.module.css';

/** What the form holds: dates and amounts may still be unfinished text. */
type Values = {
  name: string;
  location: string;
  startDate: string;
  endDate: string;
  projectedTotal: number | string;
  spent: number | string;
  employeeIds: number[];
  newEmployees: NewMember[];
};

const ROLES = [{ value: '', label: 'Seleziona un ruolo' }, ...EMPLOYEE_ROLES];

const EMPTY: Values = {
  name: '',
  location: '',
  startDate: '',
  endDate: '',
  projectedTotal: '',
  spent: '',
  employeeIds: [],
  newEmployees: [],
};

function valuesOf(project: Project): Values {
  const { name, location, startDate, endDate, projectedTotal, openingSpent, team } = project;
  const employeeIds = team.map(({ id }) => id);
  return {
    name,
    location,
    startDate,
    endDate,
    projectedTotal,
    spent: openingSpent,
    employeeIds,
    newEmployees: [],
  };
}

/** The input of the API, before it is judged: what is empty is left to its default. */
function inputOf({ startDate, endDate, projectedTotal, spent, newEmployees, ...values }: Values) {
  return {
    ...values,
    startDate: startDate || null,
    endDate: endDate || null,
    projectedTotal: projectedTotal === '' ? null : projectedTotal,
    spent: spent === '' ? null : spent,
    newEmployees,
  };
}

function differencesOf(mine: Values, saved: Project): Difference[] {
  const euro = (value: number | string) => (typeof value === 'number' ? formatEuro(value) : value);
  const date = (value: string) => (isCalendarDate(value) ? formatDate(value) : value);
  const theirs = valuesOf(saved);
  const teamOf = ({ employeeIds, newEmployees }: Values) =>
    employeeIds.length + newEmployees.filter(isCompleteMember).length;
  const sameTeam =
    mine.newEmployees.length === 0 &&
    [...mine.employeeIds].sort().join() === [...theirs.employeeIds].sort().join();
  return [
    { field: 'Nome', mine: mine.name, saved: saved.name },
    { field: 'Località', mine: mine.location, saved: saved.location },
    { field: 'Inizio', mine: date(mine.startDate), saved: date(saved.startDate) },
    { field: 'Fine', mine: date(mine.endDate), saved: date(saved.endDate) },
    { field: 'Proiezione', mine: euro(mine.projectedTotal), saved: euro(saved.projectedTotal) },
    { field: 'Spesa iniziale', mine: euro(mine.spent), saved: euro(saved.openingSpent) },
    {
      field: 'Team',
      mine: people(teamOf(mine)),
      saved: sameTeam
        ? people(teamOf(mine))
        : `${people(saved.teamSize)}: ${saved.team.map(({ name }) => name).join(', ')}`,
    },
  ];
}

function Fields({
  form,
  project,
}: {
  form: Pick<
    UseFormReturnType<Values>,
    'values' | 'errors' | 'getInputProps' | 'setFieldValue' | 'insertListItem' | 'removeListItem'
  >;
  project: Project | undefined;
}) {
  const { values } = form;
  const add = useRef<HTMLButtonElement>(null);
  const today = todayInRome();
  const startDate = values.startDate || today;
  const endDate = values.endDate || (isCalendarDate(startDate) ? defaultEndDate(startDate) : today);
  const period = useMemo(
    () => (isCalendarDate(startDate) && isCalendarDate(endDate) ? { startDate, endDate } : null),
    [startDate, endDate],
  );
  const complete = values.newEmployees.filter(isCompleteMember).length;
  const size = values.employeeIds.length + complete;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Nome Progetto"
          withAsterisk
          maxLength={PROJECT_LIMITS.name}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Località"
          withAsterisk
          maxLength={PROJECT_LIMITS.location}
          {...form.getInputProps('location')}
        />
        <DateField
          label="Data Inizio"
          placeholder="dd/mm/yyyy"
          description="Vuota: oggi"
          {...form.getInputProps('startDate')}
        />
        <DateField
          label="Data Fine"
          placeholder="dd/mm/yyyy"
          description={endDate > today && !values.endDate ? 'Vuota: il giorno di inizio' : 'Vuota: oggi'}
          {...(isCalendarDate(values.startDate) && { minDate: values.startDate })}
          {...form.getInputProps('endDate')}
        />
        <EuroField label="Proiezione Spesa Totale (€)" {...form.getInputProps('projectedTotal')} />
        <EuroField
          label={project ? 'Spesa iniziale (€)' : 'Spesa ad Oggi (€)'}
          {...(project && {
            description: `Prima delle fatture, che aggiungono ${formatEuro(project.spentToDate - project.openingSpent)}`,
          })}
          {...form.getInputProps('spent')}
        />
      </SimpleGrid>

      <EmployeePicker
        value={values.employeeIds}
        onChange={(ids) => form.setFieldValue('employeeIds', ids)}
        period={period}
        projectId={project?.id}
        error={typeof form.errors.employeeIds === 'string' ? form.errors.employeeIds : undefined}
      />

      <fieldset className={styles.group}>
        <legend className={styles.legend}>Aggiungi nuovi dipendenti</legend>
        {values.newEmployees.map((member, index) => {
          const number = index + 1;
          const started = member.name.trim() !== '' || member.surname.trim() !== '' || member.role !== '';
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are the form's list, which is addressed by index
            <fieldset key={index} className={styles.member} aria-label={`Nuovo dipendente ${number}`}>
              <TextInput
                label="Nome"
                maxLength={EMPLOYEE_LIMITS.firstName}
                {...form.getInputProps(`newEmployees.${index}.name`)}
              />
              <TextInput
                label="Cognome"
                maxLength={EMPLOYEE_LIMITS.surname}
                {...form.getInputProps(`newEmployees.${index}.surname`)}
              />
              <NativeSelect
                label="Ruolo"
                data={ROLES}
                {...form.getInputProps(`newEmployees.${index}.role`)}
              />
              <IconButton
                tone="danger"
                size="large"
                className={styles.remove}
                aria-label={`Rimuovi nuovo dipendente ${number}`}
                onClick={() => {
                  form.removeListItem('newEmployees', index);
                  add.current?.focus();
                }}
              >
                <IconTrash size={20} stroke={1.75} aria-hidden="true" />
              </IconButton>
              {started && !isCompleteMember(member) && (
                <Text size="sm" c="orange" className={styles.hint}>
                  Servono nome, cognome e ruolo: altrimenti questa persona non viene aggiunta.
                </Text>
              )}
            </fieldset>
          );
        })}
        <Button
          ref={add}
          variant="default"
          leftSection={<IconUserPlus size={18} aria-hidden="true" />}
          onClick={() => form.insertListItem('newEmployees', { name: '', surname: '', role: '' })}
        >
          Aggiungi dipendente
        </Button>
      </fieldset>

      <Text fw={600} role="status">
        Team: {people(size)}
      </Text>
    </Stack>
  );
}

/**
 * Both of the mandatory fields are named once more, as spec §5 asks, where neither may be in sight: until both are given,
 * or the form is left.
 * @returns what to call when the form's own rules refuse it
 */
function useWarningOfMissing({ errors }: { errors: FormErrors }) {
  const takeAway = useRef(() => {});
  const missing = Boolean(errors.name || errors.location);
  useEffect(() => {
    if (!missing) takeAway.current();
  }, [missing]);
  useEffect(() => () => takeAway.current(), []);
  return (wrong: FormErrors) => {
    if (wrong.name || wrong.location)
      takeAway.current = toast({ ...PROJECT_TEXTS.bothRequired, kind: 'error' });
  };
}

function CreateForm({ onClose, onCreated }: { onClose: () => void; onCreated: (project: Project) => void }) {
  const me = useMe();
  const create = useCreateProject();
  const draft = useDraft('project', EMPTY);
  const judge = (values: Values) => {
    const { spent, ...input } = inputOf(values);
    return projectInputSchema.safeParse({ ...input, spentToDate: spent, userId: me.id });
  };
  const form = useForm<Values>({
    initialValues: draft.values,
    onValuesChange: draft.keep,
    validate: (values) => errorsOf(judge(values), { spentToDate: 'spent' }),
  });
  const warnOfMissing = useWarningOfMissing(form);
  const [restored, setRestored] = useState(draft.restored);

  async function send(values: Values) {
    const input = judge(values);
    if (!input.success) return;
    try {
      const project = await create.mutateAsync(input.data);
      draft.discard();
      toast(PROJECT_TEXTS.createdToast);
      onCreated(project);
    } catch (error) {
      toast({ ...PROJECT_TEXTS.createFailedToast, kind: 'error' });
      throw worded(error, PROJECT_FAILURES.create);
    }
  }

  return (
    <AppForm form={form} onSubmit={send} onInvalid={warnOfMissing} label="Crea Nuovo Progetto" kept>
      {restored && (
        <Alert color="gray" mb="md">
          <Group justify="space-between" gap="xs">
            Abbiamo ritrovato quello che avevi scritto.
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                form.setValues(EMPTY);
                draft.discard();
                setRestored(false);
              }}
            >
              Ricomincia da capo
            </Button>
          </Group>
        </Alert>
      )}
      <Fields form={form} project={undefined} />
      <FormFooter
        busy={create.isPending}
        label="Crea Progetto"
        onCancel={() => {
          draft.discard();
          onClose();
        }}
      />
    </AppForm>
  );
}

function EditForm({ project, onClose }: { project: Project; onClose: () => void }) {
  const change = useChangeProject();
  const conflict = useEditConflict(project, projectSchema);
  const changeOf = (values: Values, version: number) => {
    const { spent, ...input } = inputOf(values);
    return { ...input, openingSpent: spent, version };
  };
  const form = useForm<Values>({
    initialValues: valuesOf(project),
    validate: (values) =>
      errorsOf(projectChangeSchema.safeParse(changeOf(values, project.version)), { openingSpent: 'spent' }),
  });
  const warnOfMissing = useWarningOfMissing(form);

  async function send(values: Values) {
    const isSaved = await conflict.send((version) =>
      change.mutateAsync({ ...projectChangeSchema.parse(changeOf(values, version)), id: project.id }),
    );
    if (!isSaved) return;
    toast({ title: 'Progetto aggiornato' });
    onClose();
  }

  return (
    <AppForm
      form={form}
      onSubmit={send}
      onInvalid={warnOfMissing}
      label="Modifica progetto"
      record={project.id}
    >
      <ConflictNotice
        conflict={conflict}
        differencesFrom={(saved) => differencesOf(form.values, saved)}
        onTakeSaved={(saved) => takeOver(form, valuesOf(saved))}
      />
      <Fields form={form} project={conflict.base} />
      <FormFooter busy={change.isPending} label="Salva modifiche" onCancel={onClose} />
    </AppForm>
  );
}

/** Creates a project, or edits `project` with its team. Closes itself once it is saved. */
export default function ProjectDialog({
  project,
  opened,
  onClose,
  onCreated,
}: {
  project: Project | undefined;
  opened: boolean;
  onClose: () => void;
  onCreated: (project: Project) => void;
}) {
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={project ? `Modifica ${project.name}` : 'Crea Nuovo Progetto'}
      size="xl"
      fullScreenOnPhone
    >
      {project ? (
        <EditForm project={project} onClose={onClose} />
      ) : (
        <CreateForm onClose={onClose} onCreated={onCreated} />
      )}
    </FormDialog>
  );
}
