import { IconRoute } from '@tabler/icons-react';
import { useMe } from '#client/lib/session.ts';
import type { Project } from '#contract/projects.ts';
import { startingFromProject } from './draft.ts';
import { StartButton } from './start-button.tsx';

/** Starts a trip request for the people of a project. @param name how the button names it to screen readers */
export default function ProjectStartButton({ project, name }: { project: Project; name: string }) {
  const { email } = useMe();
  return (
    <StartButton
      icon={IconRoute}
      label={`Chiedi una trasferta: ${name}`}
      loss="Hai iniziato una richiesta che non hai ancora inviato: partendo da questo progetto, quella andrà persa."
      begin={() => startingFromProject(project, email)}
    >
      Chiedi una trasferta
    </StartButton>
  );
}
