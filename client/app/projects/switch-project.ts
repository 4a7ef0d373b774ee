import { toast } from '#client/lib/toast.ts';
import { useFocusInPlace } from '#client/ui/opener.ts';
import type { Project } from '#contract/projects.ts';
import { useChangeProjectStatus } from './api.ts';

/** Closes or reopens a project, and reports it in a toast. */
export function useSwitchProject(): { pending: boolean; switchStatus: (project: Project) => void } {
  const change = useChangeProjectStatus();
  const keepPlace = useFocusInPlace();
  return {
    pending: change.isPending,
    switchStatus(project) {
      const focusPlace = keepPlace();
      const status = project.status === 'In corso' ? 'Completato' : 'In corso';
      // A promise, because callbacks of mutate() are dropped when the card leaves a list it no longer belongs to.
      change
        .mutateAsync({ id: project.id, status })
        .then(
          () =>
            toast({
              title: status === 'Completato' ? 'Progetto completato' : 'Progetto riaperto',
              message: project.name,
            }),
          (error: Error) => toast({ title: 'Errore', message: error.message, kind: 'error' }),
        )
        .finally(focusPlace);
    },
  };
}

/** Label of the button that closes or reopens a project. */
export function switchLabel(project: Project): string {
  return project.status === 'In corso' ? 'Segna come completato' : 'Riapri progetto';
}
