import { projection } from '#client/lib/words.ts';
import type { Column } from '#client/ui/data-table-row.tsx';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import { SampleBadge } from '#client/ui/sample-badge.tsx';
import { StatusBadge } from '#client/ui/status-badge.tsx';
import { period } from '#contract/dates.ts';
import { formatEuro } from '#contract/money.ts';
import type { Project } from '#contract/projects.ts';
import { overspent, TeamButton } from './project-card.tsx';
import styles from './project-columns.module.css';
import type { ProjectActions } from './project-row-actions.tsx';

/**
 * Columns of the table of all projects.
 * @param distinctName tells projects of one name apart
 */
export function projectColumns(
  distinctName: (project: Project) => string,
  onTeam: ProjectActions['onTeam'],
): Column<Project>[] {
  return [
    {
      key: 'name',
      header: 'Nome',
      tableOnly: true,
      cell: (project) => (
        <div className={styles.title}>
          {project.name}
          {project.sample && <SampleBadge />}
        </div>
      ),
    },
    {
      key: 'location',
      header: 'Località',
      cell: ({ location }) => <span className={styles.inCell}>{location}</span>,
    },
    {
      key: 'dates',
      header: 'Date',
      cell: ({ startDate, endDate }) => <span className={styles.dates}>{period(startDate, endDate)}</span>,
    },
    {
      key: 'team',
      header: 'Team',
      nowrap: true,
      cell: (project) => (
        <TeamButton project={project} name={distinctName(project)} onOpen={() => onTeam(project)} />
      ),
    },
    {
      key: 'projected',
      header: 'Proiezione spesa totale',
      align: 'end',
      cell: (project) => (
        <>
          {projection(project.projectedTotal)}
          <span className={styles.spent} data-over={overspent(project) > 0}>
            spesi {formatEuro(project.spentToDate)}
          </span>
        </>
      ),
    },
    {
      key: 'status',
      header: 'Stato',
      tableOnly: true,
      cell: ({ status }) => (
        <div className={styles.whole}>
          <StatusBadge status={status} />
        </div>
      ),
    },
    {
      key: 'progress',
      header: 'Progresso',
      nowrap: true,
      cell: (project) => (
        <span className={styles.row}>
          <ProgressBar
            className={styles.short}
            value={project.progress}
            label={`Avanzamento di ${distinctName(project)}`}
          />
          <span className={styles.percent}>{project.progress}%</span>
        </span>
      ),
    },
  ];
}
