import { Box } from '@mantine/core';
import { type FormErrors, useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { useDraft } from '#client/lib/drafts.ts';
import { takeOver, useEditConflict } from '#client/lib/edit-conflict.ts';
import { worded } from '#client/lib/failures.ts';
import { firstMessages } from '#client/lib/form-errors.ts';
import { useMe } from '#client/lib/session.ts';
import { toast } from '#client/lib/toast.ts';
import { AppForm } from '#client/ui/app-form.tsx';
import { ConflictNotice } from '#client/ui/conflict-notice.tsx';
import { FormFooter } from '#client/ui/dialog-footer.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { RestoredNotice } from '#client/ui/restored-notice.tsx';
import {
  PROJECT_FAILURES,
  PROJECT_TEXTS,
  type Project,
  projectChangeSchema,
  projectInputSchema,
  projectSchema,
} from '#contract/projects.ts';
import { useChangeProject, useCreateProject } from './api.ts';
import { ProjectFields } from './project-fields.tsx';
import {
  differencesOf,
  EMPTY_PROJECT,
  inputOf,
  keyingMembers,
  leftOut,
  type ProjectValues,
  valuesOf,
  withDatesAsEntered,
  withoutGoneEmployees,
} from './project-form.ts';

/**
 * Shows spec §5's message about both mandatory fields also as a toast, because neither field may be visible. The toast
 * is removed when both are valid or the form is closed.
 * @returns a function to call when the form's own rules find errors
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
  const draft = useDraft('project', EMPTY_PROJECT);
  // At once: restored after a reload, the draft would create the project again.
  const create = useCreateProject(draft.discard);
  const judge = (values: ProjectValues) => {
    const { spent, ...input } = inputOf(values);
    return projectInputSchema.safeParse({ ...input, spentToDate: spent, userId: me.id });
  };
  const form = useForm<ProjectValues>({
    initialValues: draft.values,
    onValuesChange: draft.keep,
    validate: (values) => firstMessages(judge(values), { spentToDate: 'spent' }),
  });
  const warnOfMissing = useWarningOfMissing(form);
  const [restored, setRestored] = useState(draft.restored);

  function startAnew() {
    form.setValues(EMPTY_PROJECT);
    draft.discard();
    setRestored(false);
    // The element that had the focus is removed.
    form.getInputNode('name')?.focus();
  }

  async function send(values: ProjectValues) {
    const input = judge(values);
    if (!input.success) return;
    try {
      const project = await create.mutateAsync(withDatesAsEntered(input.data, values));
      // Typing meanwhile stored it again.
      draft.discard();
      const { title, message } = PROJECT_TEXTS.createdToast;
      toast({ title, message: [message, leftOut(values)].filter(Boolean).join(' ') });
      onCreated(project);
    } catch (error) {
      toast({ ...PROJECT_TEXTS.createFailedToast, kind: 'error' });
      throw worded(withoutGoneEmployees(form, values.employeeIds, error), PROJECT_FAILURES.create);
    }
  }

  return (
    <AppForm form={form} onSubmit={send} onInvalid={warnOfMissing} label="Crea Nuovo Progetto" kept>
      {restored && (
        <Box mb="md">
          <RestoredNotice
            words={{ loss: 'Quello che hai compilato e non hai ancora salvato andrà perso.' }}
            onRestart={startAnew}
          >
            Abbiamo ritrovato quello che avevi scritto.
          </RestoredNotice>
        </Box>
      )}
      <ProjectFields form={form} project={undefined} sent={create.isPending || create.isSuccess} />
      <FormFooter busy={create.isPending} label="Crea Progetto" onCancel={onClose} />
    </AppForm>
  );
}

function EditForm({ project, onClose }: { project: Project; onClose: () => void }) {
  const change = useChangeProject();
  const conflict = useEditConflict(project, projectSchema);
  const [keyed] = useState(keyingMembers);
  const changeOf = (values: ProjectValues, version: number) => {
    const { spent, ...input } = inputOf(values);
    return { ...input, newEmployees: keyed(values.newEmployees), openingSpent: spent, version };
  };
  const form = useForm<ProjectValues>({
    initialValues: valuesOf(project),
    validate: (values) =>
      firstMessages(projectChangeSchema.safeParse(changeOf(values, project.version)), {
        openingSpent: 'spent',
      }),
  });
  const warnOfMissing = useWarningOfMissing(form);

  async function send(values: ProjectValues) {
    try {
      const isSaved = await conflict.send(
        ({ version }) =>
          change.mutateAsync({ ...projectChangeSchema.parse(changeOf(values, version)), id: project.id }),
        (saved) => differencesOf(values, saved),
      );
      if (!isSaved) return;
    } catch (error) {
      throw withoutGoneEmployees(form, values.employeeIds, error);
    }
    toast({ title: 'Progetto aggiornato', message: leftOut(values) });
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
      <ProjectFields form={form} project={conflict.base} sent={change.isPending || change.isSuccess} />
      <FormFooter busy={change.isPending} label="Salva modifiche" onCancel={onClose} />
    </AppForm>
  );
}

/** Creates a project, or edits `project` with its team. Closes itself after saving. */
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
