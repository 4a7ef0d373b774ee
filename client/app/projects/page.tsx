import { Tabs } from '@mantine/core';
import { IconBuildingCommunity, IconUsers } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { displayName, useMe } from '#client/lib/session.ts';
import { RowsSkeleton } from '#client/ui/list-states.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { PROJECT_TEXTS } from '#contract/projects.ts';
import { ProjectsTab } from './projects-tab.tsx';

const TeamTab = lazy(() => import('./team-tab.tsx'));

const TABS = ['progetti', 'team'] as const;

/** Which sites, who is where, until when, at what cost (spec §2, Projects and Team). The tab is part of the address. */
export default function ProjectsPage() {
  const me = useMe();
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((name) => name === params.get('tab')) ?? 'progetti';
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
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(name) =>
          setParams(name && name !== 'progetti' ? { tab: name } : {}, { preventScrollReset: true })
        }
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="progetti" leftSection={<IconBuildingCommunity size={18} aria-hidden="true" />}>
            Progetti
          </Tabs.Tab>
          <Tabs.Tab value="team" leftSection={<IconUsers size={18} aria-hidden="true" />}>
            Team
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="progetti">
          <ProjectsTab />
        </Tabs.Panel>
        <Tabs.Panel value="team">
          <Suspense fallback={<RowsSkeleton label={PROJECT_TEXTS.loading} />}>
            <TeamTab />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
