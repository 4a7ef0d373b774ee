import { Button } from '@mantine/core';
import { IconBuildingCommunity, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { memo } from 'react';
import { flatten } from '#client/lib/list-pages.ts';
import { useToday } from '#client/lib/new-day.ts';
import { CARDS_AT_ONCE, useIncrementalCount } from '#client/ui/incremental-render.ts';
import { CardsSkeleton } from '#client/ui/list-skeletons.tsx';
import { EmptyState, Loaded } from '#client/ui/list-states.tsx';
import { LoadMore } from '#client/ui/load-more.tsx';
import { SamplesNote } from '#client/ui/samples-note.tsx';
import { Section } from '#client/ui/section.tsx';
import { usePhone } from '#client/ui/use-phone.ts';
import { PROJECT_TEXTS, type Project } from '#contract/projects.ts';
import styles from './active-projects.module.css';
import { PROJECT_LISTS, projectsQuery } from './api.ts';
import { useDistinctProjects } from './distinct-names.ts';
import { LoadingWords } from './loading-words.tsx';
import { ProjectCard } from './project-card.tsx';
import type { ProjectActions } from './project-row-actions.tsx';

const PAGE = 12;

/** Projects 'In corso', newest first. */
export const activeProjectsQuery = projectsQuery({ status: 'In corso', limit: PAGE });

function ProjectCards({ projects, actions }: { projects: readonly Project[]; actions: ProjectActions }) {
  const today = useToday();
  const distinctName = useDistinctProjects(projects);
  // On wider screens the content below is visible, and adding cards in steps would move it down.
  const shown = useIncrementalCount(projects.length, usePhone() ? CARDS_AT_ONCE : PAGE);
  return (
    <ul className={styles.cards} aria-label="Progetti attivi">
      {projects.slice(0, shown).map((project) => (
        <ProjectCard
          key={project.id}
          project={project}
          name={distinctName(project)}
          today={today}
          {...actions}
        />
      ))}
    </ul>
  );
}

/** Projects 'In corso' as cards. Memoized, so that opening a dialog does not render them again. */
export const ActiveProjects = memo(function ActiveProjects({
  onNew,
  ...actions
}: ProjectActions & { onNew: () => void }) {
  const query = useInfiniteQuery(activeProjectsQuery);
  const { data, error } = query;
  const client = useQueryClient();
  const empty = data !== undefined && flatten(data).items.length === 0;
  const newProject = (
    <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={onNew}>
      Nuovo Progetto
    </Button>
  );
  return (
    <Section title="Progetti Attivi" actions={!empty && newProject}>
      <Loaded
        // Retrying refetches every project list of the page, because others may have failed too.
        query={{ data, error, refetch: () => client.refetchQueries({ queryKey: PROJECT_LISTS }) }}
        skeleton={
          <LoadingWords>
            <CardsSkeleton cards={3} height={396} label={PROJECT_TEXTS.loading} />
          </LoadingWords>
        }
        errorTitle={PROJECT_TEXTS.loadFailed}
        errorHint={PROJECT_TEXTS.loadHint}
      >
        {(pages) => {
          const { items, total } = flatten(pages);
          if (items.length === 0) {
            return (
              <EmptyState icon={IconBuildingCommunity} title="Nessun progetto in corso" action={newProject}>
                Crea un progetto per vedere qui il cantiere, chi c’è e quanto costa.
              </EmptyState>
            );
          }
          return (
            <>
              {items[0]?.sample && (
                <SamplesNote title="Non hai ancora progetti" fixed>
                  Intanto ecco qualche esempio, fino al primo progetto che crei.
                </SamplesNote>
              )}
              <ProjectCards projects={items} actions={actions} />
              {query.hasNextPage && <LoadMore shown={items.length} total={total} pages={query} />}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
});
