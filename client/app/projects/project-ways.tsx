import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { projectRequestsPath } from '#client/lib/record-paths.ts';
import { late } from '#client/ui/late.tsx';
import { Link } from '#client/ui/link.tsx';
import type { Project } from '#contract/projects.ts';

const TripButton = late(
  () => import('#client/app/trip-requests/project-start-button.tsx'),
  <Button variant="default" disabled>
    Chiedi una trasferta
  </Button>,
);

/**
 * The ways from a project to its trips and its invoices; none from a sample.
 * @param label its name for screen readers, unique among those on the page
 */
export function ProjectWays({ project, label }: { project: Project; label: string }) {
  const { id, sample } = project;
  const [missing, setMissing] = useState(false);
  if (sample) return null;
  const invoices = new URLSearchParams({ vista: 'fatture', progetto: String(id) });
  return (
    <Group gap="xs" mb="md">
      {!missing && <TripButton project={project} name={label} onMissing={() => setMissing(true)} />}
      <Button
        component={Link}
        to={`/app/pagamenti-fatture?${invoices}`}
        variant="subtle"
        aria-label={`Fatture: ${label}`}
      >
        Fatture
      </Button>
      <Button
        component={Link}
        to={projectRequestsPath(id)}
        variant="subtle"
        aria-label={`Richieste: ${label}`}
      >
        Richieste
      </Button>
    </Group>
  );
}
