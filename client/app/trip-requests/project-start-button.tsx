import { IconRoute } from '@tabler/icons-react';
import { useMe } from '#client/lib/session.ts';
import type { Project } from '#contract/projects.ts';
import { startingFromProject } from './draft.ts';
import { StartButton } from './start-button.tsx';

/** Starts a trip request for the people of a project. */
export default function ProjectStartButton({ project }: { project: Project }) {
  const { email } = useMe();
  return (
    <StartButton
      icon={IconRoute}
      label={`Chiedi una trasferta: ${project.name}`}
      loss="Hai iniziato una richiesta che non hai ancora inviato: partendo da questo progetto, quella andrà persa."
      begin={() => startingFromProject(project, email)}
    >
      Chiedi una trasferta
    </StartButton>
  );
}
