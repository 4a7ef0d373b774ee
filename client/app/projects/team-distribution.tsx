import { Accordion, Text } from '@mantine/core';
import { IconBuildingCommunity } from '@tabler/icons-react';
import { sharedNames } from '#client/lib/namesakes.ts';
import { DOT, people } from '#client/lib/words.ts';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import type { TeamStats } from '#contract/projects.ts';
import { periodOf } from './distinct-names.ts';
import styles from './team-distribution.module.css';

type Site = TeamStats['distribution'][number];

const nameAndPlace = ({ name, location }: Site) => `${name}\n${location}`;

/** How many people are on each project 'In corso'. Those of the same name and place are told apart by their dates. */
export function TeamDistribution({ projects }: { projects: Site[] }) {
  const alike = new Set(sharedNames(projects.map(nameAndPlace)));
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
            {projects.map((project) => (
              <li key={project.projectId} className={styles.site}>
                <div className={styles.siteName}>
                  <Text fw={600}>{project.name}</Text>
                  <Text size="sm" c="dimmed">
                    {[project.location, alike.has(nameAndPlace(project)) && periodOf(project)]
                      .filter(Boolean)
                      .join(DOT)}
                  </Text>
                </div>
                <ProgressBar value={(project.people / largest) * 100} size="large" className={styles.bar} />
                <Text className={styles.count}>{people(project.people)}</Text>
              </li>
            ))}
          </ul>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
