import { IconBriefcase, IconHome, IconPlaneDeparture, IconUserCheck, IconUsers } from '@tabler/icons-react';
import { counted } from '#client/lib/words.ts';
import { StatTile, StatTiles } from '#client/ui/stat-tile.tsx';
import { figure } from '#contract/figures.ts';
import type { TeamStats } from '#contract/projects.ts';

/** Says whom a figure counts, because the table below includes others. */
const OF_PROJECTS = 'sui progetti in corso';

/** Numbers of people by status and assignment. */
export function TeamFigures({ stats }: { stats: TeamStats }) {
  const { activeProjects, sample } = stats;
  const tiles = [
    {
      label: 'Sui progetti in corso',
      count: stats.people,
      hint: `in ${counted(activeProjects, 'progetto', 'progetti')}`,
      icon: IconUsers,
    },
    { label: 'In trasferta', count: stats.travelling, hint: OF_PROJECTS, icon: IconPlaneDeparture },
    { label: 'Rientrati', count: stats.returned, hint: OF_PROJECTS, icon: IconHome },
    { label: 'Disponibili', count: stats.available, hint: OF_PROJECTS, icon: IconUserCheck },
    { label: 'Senza progetto', count: stats.unassigned, icon: IconBriefcase },
  ];
  return (
    <StatTiles>
      {tiles.map(({ count, ...tile }) => (
        <StatTile key={tile.label} {...tile} value={figure(count)} sample={sample} />
      ))}
    </StatTiles>
  );
}
