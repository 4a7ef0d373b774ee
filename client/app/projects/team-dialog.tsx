import { Button, Group, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { DOT, people } from '#client/lib/words.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { period } from '#contract/dates.ts';
import type { Project } from '#contract/projects.ts';
import styles from './member-list.module.css';
import { MemberList } from './member-list.tsx';
import { ProjectWays } from './project-ways.tsx';

/** The team of a project, with a status select for each person (spec §2, dialog 'Team {project}'). */
export function TeamDialog({
  project,
  opened,
  onClose,
  onEdit,
}: {
  /** As currently shown by the lists, so that a changed status is shown here too. */
  project: Project | undefined;
  opened: boolean;
  onClose: () => void;
  onEdit: (project: Project) => void;
}) {
  /** Esc closes the card of a member, which covers those below, before the dialog. */
  const [card, setCard] = useState(false);
  return (
    <Dialog
      opened={opened && project !== undefined}
      onClose={onClose}
      closeOnEscape={!card}
      title={`Team ${project?.name ?? ''}`}
      size="lg"
    >
      {project && (
        <>
          <Text c="dimmed" size="sm" mb="sm" className={styles.where}>
            {people(project.teamSize)}, <bdi>{project.location}</bdi>
            {DOT}
            <span className={styles.period}>{period(project.startDate, project.endDate)}</span>
          </Text>
          <ProjectWays project={project} label={project.name} />
          <MemberList project={project} onCard={setCard} />
          {!project.sample && (
            <Group justify="flex-end" mt="lg">
              <Button
                variant="default"
                leftSection={<IconPencil size={18} aria-hidden="true" />}
                onClick={() => onEdit(project)}
              >
                Aggiungi o togli persone
              </Button>
            </Group>
          )}
        </>
      )}
    </Dialog>
  );
}
