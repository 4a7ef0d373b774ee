import { toast } from '#client/lib/toast.ts';
import { useFocusInPlace } from '#client/ui/opener.ts';
import type { Project } from '#contract/projects.ts';
import { useChangeProjectStatus } from './api.ts';
import { completed } from './words.ts';

/** Closes or reopens a project, and reports it in a toast. */
export function useSwitchProject(): { pending: boolean; switchStatus: (project: Project) => void } {
  const change = useChangeProjectStatus();
  const inPlace = useFocusInPlace();
  return {
    pending: change.isPending,
    switchStatus(project) {
      const status = project.status === 'In corso' ? 'Completato' : 'In corso';
      inPlace(async () => {
        await change.mutateAsync({ id: project.id, status });
        toast(
          status === 'Completato'
            ? { title: 'Progetto completato', message: completed(project) }
            : { title: 'Progetto riaperto', message: project.name },
        );
      });
    },
  };
}

/** Label of the button that closes or reopens a project. */
export function switchLabel(project: Project): string {
  return project.status === 'In corso' ? 'Segna come completato' : 'Riapri progetto';
}
