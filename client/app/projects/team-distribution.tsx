import { Accordion, Text } from '@mantine/core';
import { IconBuildingCommunity } from '@tabler/icons-react';
import { people } from '#client/lib/words.ts';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import type { TeamStats } from '#contract/projects.ts';
import styles from './team-distribution.module.css';

/** How many people are on each project 'In corso'. */
export function TeamDistribution({ projects }: { projects: TeamStats['distribution'] }) {
  const largest = Math.max(1, ...projects.map((project) => project.people));
  return (
    <Accordion variant="separated" order={2}>
      <Accordion.Item value="distribution">
        <Accordion.Control icon={<IconBuildingCommunity size={20} stroke={1.75} aria-hidden="true" />}>
          Distribuzione Team
        </Accordion.Control>
        <Accordion.Panel>
          {projects.length === 0 && <Text c="dimmed">Nessun progetto in corso.</Text>}
          <ul className={styles.distribution}>
            {projects.map(({ projectId, name, location, people: count }) => (
              <li key={projectId} className={styles.site}>
                <div className={styles.siteName}>
                  <Text fw={600}>{name}</Text>
                  <Text size="sm" c="dimmed">
                    {location}
                  </Text>
                </div>
                <ProgressBar value={(count / largest) * 100} size="large" className={styles.bar} />
                <Text className={styles.count}>{people(count)}</Text>
              </li>
            ))}
          </ul>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
