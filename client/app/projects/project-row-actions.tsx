import { IconCircleCheck, IconPencil, IconRotate, IconTrash } from '@tabler/icons-react';
import { IconButton } from '#client/ui/icon-button.tsx';
import type { Project } from '#contract/projects.ts';
import styles from './project-row-actions.module.css';
import { switchLabel, useSwitchProject } from './switch-project.ts';

/** Callbacks that open the dialogs about a project. */
export type ProjectActions = {
  onTeam: (project: Project) => void;
  onEdit: (project: Project) => void;
  onDelete: (project: Project) => void;
};

/** The buttons at the end of a project's row. */
export function ProjectRowActions({
  project,
  name,
  onEdit,
  onDelete,
}: {
  project: Project;
  /** Told apart from others of the same name. */
  name: string;
} & Omit<ProjectActions, 'onTeam'>) {
  const { pending, switchStatus } = useSwitchProject();
  return (
    <div className={styles.actions}>
      <IconButton
        aria-label={`${switchLabel(project)}: ${name}`}
        sample={project.sample}
        loading={pending}
        onClick={() => switchStatus(project)}
      >
        {project.status === 'In corso' ? (
          <IconCircleCheck size={20} stroke={1.75} aria-hidden="true" />
        ) : (
          <IconRotate size={20} stroke={1.75} aria-hidden="true" />
        )}
      </IconButton>
      <IconButton aria-label={`Modifica ${name}`} sample={project.sample} onClick={() => onEdit(project)}>
        <IconPencil size={20} stroke={1.75} aria-hidden="true" />
      </IconButton>
      <IconButton
        tone="danger"
        aria-label={`Elimina ${name}`}
        sample={project.sample}
        onClick={() => onDelete(project)}
      >
        <IconTrash size={20} stroke={1.75} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
