import { Alert, Group, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useState } from 'react';
import { toast } from '#client/lib/toast.ts';
import { useDialog } from '#client/lib/use-dialog.ts';
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import { useDeferredRender } from '#client/ui/incremental-render.ts';
import { late } from '#client/ui/late.tsx';
import { focusTitleAbove } from '#client/ui/opener.ts';
import { period } from '#contract/dates.ts';
import { PROJECT_TEXTS, type Project } from '#contract/projects.ts';
import { ActiveProjects, activeProjectsQuery } from './active-projects.tsx';
import { AllProjects } from './all-projects.tsx';
import { useAsListed, useDeleteProject } from './api.ts';
import { TeamButton } from './project-card.tsx';
import type { ProjectActions } from './project-row-actions.tsx';
import { TeamDialog } from './team-dialog.tsx';

/** Loaded after the list, before anybody presses its button. */
const ProjectDialog = late(() => import('./project-dialog.tsx'));

/** What tells a project apart from others of its name, of which the wrong one must not be deleted. */
const placeOf = ({ location, startDate, endDate }: Project) => `${location}, ${period(startDate, endDate)}`;

/** Projects 'In corso' as cards, all projects as a table, and the dialogs about them. */
export function ProjectsTab() {
  const form = useDialog<Project | undefined>('project');
  const team = useDialog<Project>('team');
  const removal = useDialog<Project>('project removal');
  const remove = useDeleteProject();
  const [justCreated, setJustCreated] = useState<Project>();
  const active = useInfiniteQuery(activeProjectsQuery);
  const created = useAsListed(justCreated);
  const teamProject = useAsListed(team.subject);
  const actions: ProjectActions = { onTeam: team.open, onEdit: form.open, onDelete: removal.open };
  const openForm = form.open;
  const startNew = useCallback(() => openForm(undefined), [openForm]);
  // With cached data, deferring the table shows the cards a frame earlier. Without, the table is rendered at once, so
  // that its data is requested.
  const whole = useDeferredRender(active.data === undefined);
  // The cards are seldom as many and as high as their skeleton: the table below would move when they come. Deferred,
  // because `Loaded` defers the cards.
  const cardsKnown = useDeferredValue(active.data !== undefined || active.error !== null);

  return (
    <>
      {created && (
        <Alert
          color="green"
          mb="md"
          icon={<IconCircleCheck aria-hidden="true" />}
          // Not announced: the toast says the same at the same moment.
          title={PROJECT_TEXTS.created}
          withCloseButton
          closeButtonLabel="Chiudi"
          onClose={() => {
            // The pressed button disappears with the notice.
            if (document.activeElement) focusTitleAbove(document.activeElement);
            setJustCreated(undefined);
          }}
        >
          <Group gap="sm">
            {/* A long word would push the close button out of the notice. */}
            <Text span style={{ overflowWrap: 'anywhere' }}>
              {created.name}
            </Text>
            <TeamButton project={created} name={created.name} onOpen={() => team.open(created)} />
          </Group>
        </Alert>
      )}
      <ActiveProjects {...actions} onNew={startNew} />
      {whole && <AllProjects {...actions} hidden={!cardsKnown} />}

      <ProjectDialog
        wanted={form.opened}
        onMissing={form.close}
        opened={form.opened}
        project={form.subject}
        onClose={form.close}
        onCreated={(project) => {
          form.close();
          setJustCreated(project);
        }}
      />
      <TeamDialog
        opened={team.opened}
        project={teamProject}
        onClose={team.close}
        onEdit={(project) => {
          team.close();
          form.open(project);
        }}
      />
      <ConfirmDialog
        opened={removal.opened}
        title="Elimina progetto"
        confirmLabel="Elimina"
        busyLabel="Eliminando..."
        onClose={removal.close}
        onConfirm={async () => {
          if (!removal.subject) return;
          await remove.mutateAsync(removal.subject.id);
          toast({ title: PROJECT_TEXTS.deleted });
          setJustCreated(undefined);
        }}
      >
        Vuoi eliminare <strong>{removal.subject?.name}</strong>
        {removal.subject && ` (${placeOf(removal.subject)})`}? Il progetto sparisce e libera il suo team; i
        dipendenti, la loro cronologia e le fatture restano.
      </ConfirmDialog>
    </>
  );
}
