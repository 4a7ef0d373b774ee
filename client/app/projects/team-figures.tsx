import { IconBriefcase, IconHome, IconPlaneDeparture, IconUserCheck, IconUsers } from '@tabler/icons-react';
import { counted } from '#client/lib/words.ts';
import { StatTile, StatTiles } from '#client/ui/stat-tile.tsx';
import { figure } from '#contract/figures.ts';
import type { TeamStats } from '#contract/projects.ts';

/** Whom a figure counts, where the table below shows others as well. */
const OF_PROJECTS = 'sui progetti in corso';

/** How many people are where. */
export function TeamFigures({ stats }: { stats: TeamStats }) {
  const { sample } = stats;
  return (
    <StatTiles>
      <StatTile
        label="Sui progetti in corso"
        value={figure(stats.people)}
        hint={`in ${counted(stats.activeProjects, 'progetto', 'progetti')}`}
        icon={IconUsers}
        sample={sample}
      />
      <StatTile
        label="In trasferta"
        value={figure(stats.travelling)}
        hint={OF_PROJECTS}
        icon={IconPlaneDeparture}
        sample={sample}
      />
      <StatTile
        label="Rientrati"
        value={figure(stats.returned)}
        hint={OF_PROJECTS}
        icon={IconHome}
        sample={sample}
      />
      <StatTile
        label="Disponibili"
        value={figure(stats.available)}
        hint={OF_PROJECTS}
        icon={IconUserCheck}
        sample={sample}
      />
      <StatTile
        label="Senza progetto"
        value={figure(stats.unassigned)}
        icon={IconBriefcase}
        sample={sample}
      />
    </StatTiles>
  );
}
