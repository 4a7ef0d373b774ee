import { usePrefetchInfiniteQuery, usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { FullTeam } from '#client/app/employees/full-team.tsx';
import { teamQuery } from '#client/app/employees/team-filters.tsx';
import { useAddressFilters, useAddressSearch } from '#client/lib/address-filters.ts';
import { useIncrementalCount } from '#client/ui/incremental-render.ts';
import { Loaded } from '#client/ui/list-states.tsx';
import { PROJECT_TEXTS, type TeamStats } from '#contract/projects.ts';
import { teamStatsQuery } from './api.ts';
import { TeamDistribution } from './team-distribution.tsx';
import { TeamFigures, TeamFiguresSkeleton } from './team-figures.tsx';
import styles from './team-tab.module.css';
import { firstTimelineQuery, TimelineSection } from './timeline-section.tsx';

const NO_PROJECTS: TeamStats['distribution'] = [];
/** Figures, calendar, list and distribution. */
const PARTS = 4;

/**
 * The customer's employees: statistics, timeline, list, and distribution over projects. All data is requested at once,
 * but the parts are rendered one after the other, so that a press meanwhile waits for one part only.
 */
export default function TeamTab() {
  const stats = useQuery(teamStatsQuery);
  const { settled: search } = useAddressSearch();
  const [parameters] = useAddressFilters();
  const projects = stats.data?.distribution ?? (stats.isError ? NO_PROJECTS : undefined);
  usePrefetchQuery(firstTimelineQuery());
  usePrefetchInfiniteQuery(teamQuery(search, parameters, projects));
  const parts = useIncrementalCount(PARTS, 1);
  // Without people and projects, the figures would be zeros and the calendar empty.
  const nobody = stats.data && stats.data.people + stats.data.unassigned + stats.data.activeProjects === 0;
  return (
    <div className={styles.tab}>
      {!nobody && (
        <>
          <div className={styles.stats}>
            <Loaded
              query={stats}
              skeleton={<TeamFiguresSkeleton />}
              errorTitle={PROJECT_TEXTS.loadFailed}
              errorHint={PROJECT_TEXTS.loadHint}
            >
              {(data) => <TeamFigures stats={data} />}
            </Loaded>
          </div>
          {parts > 1 && <TimelineSection />}
        </>
      )}
      {parts > 2 && <FullTeam projects={projects} />}
      {parts > 3 && <TeamDistribution projects={projects ?? NO_PROJECTS} />}
    </div>
  );
}
