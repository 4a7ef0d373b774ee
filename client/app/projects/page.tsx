import { Stack } from '@mantine/core';
import { IconBuildingCommunity, IconUsers } from '@tabler/icons-react';
import { lazy, Suspense, useEffect } from 'react';
import { useDailyRefresh } from '#client/app/employees/api.ts';
import { loadInBackground } from '#client/lib/background-code.ts';
import { savesData, whenIdle } from '#client/lib/idle.ts';
import { displayName, useMe } from '#client/lib/session.ts';
import { AddressTabs } from '#client/ui/address-tabs.tsx';
import { RowsSkeleton } from '#client/ui/list-skeletons.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { ProjectsTab } from './projects-tab.tsx';
import { TeamFiguresSkeleton } from './team-figures.tsx';
import tabStyles from './team-tab.module.css';

const loadTeamTab = () => import('./team-tab.tsx');
const TeamTab = lazy(loadTeamTab);

/** The skeleton of the team's figures and calendar. */
function TeamSkeleton() {
  return (
    <Stack gap="2rem">
      <div className={tabStyles.stats}>
        <TeamFiguresSkeleton />
      </div>
      <RowsSkeleton label={null} />
    </Stack>
  );
}

/** Projects and Team (spec §2): sites, people, dates and costs. The selected tab is part of the URL. */
export default function ProjectsPage() {
  const me = useMe();
  useDailyRefresh();
  useEffect(() => {
    // If this fails, the tab is loaded again when opened, and a failure is reported then.
    if (!savesData()) return whenIdle(() => void loadInBackground(loadTeamTab));
  }, []);
  return (
    <>
      <PageHeader
        title="Progetti e Team"
        intro={
          <>
            Cantieri, persone e costi di <strong>{displayName(me)}</strong>
          </>
        }
      />
      <AddressTabs
        parameter="tab"
        tabs={[
          { value: 'progetti', label: 'Progetti', icon: IconBuildingCommunity, panel: <ProjectsTab /> },
          {
            value: 'team',
            label: 'Team',
            icon: IconUsers,
            panel: (
              <Suspense fallback={<TeamSkeleton />}>
                <TeamTab />
              </Suspense>
            ),
          },
        ]}
      />
    </>
  );
}
