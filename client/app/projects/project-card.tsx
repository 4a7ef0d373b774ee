import { IconAlertTriangle, IconMapPin, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react';
import { memo } from 'react';
import { people, projection } from '#client/lib/words.ts';
import { IconButton } from '#client/ui/icon-button.tsx';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { RecordBadges } from '#client/ui/record-badges.tsx';
import { RowButton } from '#client/ui/row-button.tsx';
import type { CalendarDate } from '#contract/dates.ts';
import { period } from '#contract/dates.ts';
import { formatEuro, toCents, toEuro } from '#contract/money.ts';
import type { Project } from '#contract/projects.ts';
import styles from './project-card.module.css';
import { switchLabel, useSwitchProject } from './switch-project.ts';
import { remaining } from './words.ts';

/** The amount by which a project exceeds its projection, in euro; 0 when it does not, or has no projection. */
export function overspent({ projectedTotal, spentToDate }: Project): number {
  if (projectedTotal === 0) return 0;
  return toEuro(Math.max(0, toCents(spentToDate) - toCents(projectedTotal)));
}

/** A button, 'N persone', that opens the team of a project. */
export function TeamButton({
  project,
  name,
  onOpen,
}: {
  project: Project;
  /** Told apart from others of the same name. */
  name: string;
  onOpen: () => void;
}) {
  return (
    <button
      type="button"
      className={styles.team}
      aria-haspopup="dialog"
      aria-label={`${people(project.teamSize)}: team di ${name}`}
      onClick={onOpen}
    >
      {people(project.teamSize)}
    </button>
  );
}

function Money({ project, name }: { project: Project; name: string }) {
  const { projectedTotal, spentToDate } = project;
  const over = overspent(project);
  const share = projectedTotal === 0 ? 0 : Math.round((spentToDate / projectedTotal) * 100);
  return (
    <div className={styles.money}>
      <dl className={styles.sums}>
        <div>
          <dt>Spesa ad oggi</dt>
          <dd data-over={over > 0}>{formatEuro(spentToDate)}</dd>
        </div>
        <div>
          <dt>Proiezione totale</dt>
          <dd>{projection(projectedTotal)}</dd>
        </div>
      </dl>
      {projectedTotal > 0 && (
        <ProgressBar
          value={Math.min(100, share)}
          size="small"
          tone={over > 0 ? 'red' : 'green'}
          label={`Spesa di ${name}`}
          // The bar itself ends at 100%.
          text={`${share}% della proiezione`}
        />
      )}
      {over > 0 && (
        <p className={styles.over}>
          <IconAlertTriangle size={16} aria-hidden="true" /> {formatEuro(over)} oltre la proiezione
        </p>
      )}
    </div>
  );
}

/** A project's place, dates, team, and cost against its projection. */
export const ProjectCard = memo(function ProjectCard({
  project,
  name,
  today,
  onTeam,
  onEdit,
  onDelete,
}: {
  project: Project;
  /** Told apart from others of the same name, for its controls. */
  name: string;
  /** In Europe/Rome. */
  today: CalendarDate;
  onTeam: (project: Project) => void;
  onEdit: (project: Project) => void;
  onDelete: (project: Project) => void;
}) {
  const { pending, switchStatus } = useSwitchProject();
  const { location, startDate, endDate, progress, status, sample } = project;
  return (
    <li className={styles.card} data-entry>
      <div className={styles.head}>
        <div className={styles.words}>
          <h3 className={styles.name}>{project.name}</h3>
          <p className={styles.place}>
            <IconMapPin size={16} stroke={1.75} aria-hidden="true" /> {location}
          </p>
        </div>
        <IconButton
          tone="danger"
          size="large"
          className={styles.delete}
          aria-label={`Elimina ${name}`}
          sample={sample}
          onClick={() => onDelete(project)}
        >
          <IconTrash size={20} stroke={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      <RecordBadges status={status} sample={sample} />

      <div>
        <div className={styles.figures}>
          {period(startDate, endDate)} <strong>{progress}%</strong>
        </div>
        <ProgressBar value={progress} label={`Avanzamento di ${name}`} />
        <p className={styles.remaining} data-late={status === 'In corso' && endDate < today}>
          {remaining(startDate, endDate, today)}
        </p>
      </div>

      <Money project={project} name={name} />

      <div className={styles.foot}>
        <div className={styles.crew}>
          <IconUsers size={18} stroke={1.75} aria-hidden="true" />
          <TeamButton project={project} name={name} onOpen={() => onTeam(project)} />
        </div>
        <IconButton bordered aria-label={`Modifica ${name}`} sample={sample} onClick={() => onEdit(project)}>
          <IconPencil size={18} stroke={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      <RowButton
        look="filled"
        className={styles.switch}
        aria-label={`${switchLabel(project)}: ${name}`}
        sample={sample}
        loading={pending}
        onClick={() => switchStatus(project)}
      >
        {switchLabel(project)}
      </RowButton>
    </li>
  );
});
