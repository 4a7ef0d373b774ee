import { IconBriefcase, IconHome, IconPlaneDeparture, IconUserCheck, IconUsers } from '@tabler/icons-react';
import { counted } from '#client/lib/words.ts';
import { TilesSkeleton } from '#client/ui/list-skeletons.tsx';
import { StatTile, StatTiles } from '#client/ui/stat-tile.tsx';
import { figure } from '#contract/figures.ts';
import { PROJECT_TEXTS, type TeamStats } from '#contract/projects.ts';
import { LoadingWords } from './loading-words.tsx';

/** Says whom a figure counts, because the table below includes others. */
const OF_PROJECTS = 'sui progetti in corso';

const tilesOf = (stats: TeamStats) => [
  {
    label: 'Sui progetti in corso',
    count: stats.people,
    hint: `in ${counted(stats.activeProjects, 'progetto', 'progetti')}`,
    icon: IconUsers,
  },
  { label: 'In trasferta', count: stats.travelling, hint: OF_PROJECTS, icon: IconPlaneDeparture },
  { label: 'Rientrati', count: stats.returned, hint: OF_PROJECTS, icon: IconHome },
  { label: 'Disponibili', count: stats.available, hint: OF_PROJECTS, icon: IconUserCheck },
  { label: 'Senza progetto', count: stats.unassigned, icon: IconBriefcase },
];

/** Numbers of people by status and assignment. */
export function TeamFigures({ stats }: { stats: TeamStats }) {
  return (
    <StatTiles>
      {tilesOf(stats).map(({ count, ...tile }) => (
        <StatTile key={tile.label} {...tile} value={figure(count)} sample={stats.sample} />
      ))}
    </StatTiles>
  );
}

/** The tiles of nobody, whose words are those of any team. */
const UNKNOWN = tilesOf({
  people: 0,
  travelling: 0,
  returned: 0,
  available: 0,
  unassigned: 0,
  activeProjects: 0,
  distribution: [],
  sample: false,
});

/** The figures while they load. */
export function TeamFiguresSkeleton() {
  return (
    <LoadingWords centred>
      <TilesSkeleton tiles={UNKNOWN} label={PROJECT_TEXTS.loading} />
    </LoadingWords>
  );
}
