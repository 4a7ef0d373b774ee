import { notifyManager, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import { useTeamChange } from '#client/app/employees/api.ts';
import { ApiError, answer, api } from '#client/lib/api.ts';
import { draftKeyOf } from '#client/lib/drafts.ts';
import { worded } from '#client/lib/failures.ts';
import { creatingOnce } from '#client/lib/idempotency.ts';
import type { ListPages } from '#client/lib/list-pages.ts';
import { paramsOf } from '#client/lib/list-params.ts';
import { listQuery } from '#client/lib/list-query.ts';
import { removingOnce } from '#client/lib/removing-once.ts';
import type { CalendarDate } from '#contract/dates.ts';
import type { SwitchableStatus } from '#contract/employees.ts';
import {
  PROJECT_FAILURES,
  PROJECT_TEXTS,
  type Project,
  type ProjectChange,
  type ProjectInput,
  type ProjectListQuery,
  type ProjectStatus,
  projectSchema,
} from '#contract/projects.ts';

/** Common prefix of the query keys of project lists. */
export const PROJECT_LISTS = ['projects', 'list'] as const;

/** Matching projects, page by page. */
export function projectsQuery(filters: Partial<ProjectListQuery>) {
  return {
    ...listQuery([...PROJECT_LISTS, filters], (cursor) =>
      answer(api.projects.$get({ query: paramsOf({ ...filters, cursor }) })),
    ),
    // A search without matches must not pass for having no projects.
    placeholderData: undefined,
  };
}

/** `project` as currently shown by whichever mounted list holds it; otherwise as last shown, or as given. */
export function useAsListed(project: Project | undefined): Project | undefined {
  const cache = useQueryClient().getQueryCache();
  const id = project?.id;
  const last = useRef(project);
  if (last.current?.id !== id) last.current = project;
  const subscribe = useCallback(
    (onChange: () => void) =>
      id === undefined ? () => {} : cache.subscribe(notifyManager.batchCalls(onChange)),
    [cache, id],
  );
  return useSyncExternalStore(subscribe, () => {
    if (id === undefined) return undefined;
    for (const { state } of cache.findAll({ queryKey: PROJECT_LISTS, type: 'active' })) {
      const pages = (state.data as ListPages<Project> | undefined)?.pages ?? [];
      for (const { items } of pages) {
        const listed = items.find((entry) => entry.id === id);
        if (listed) {
          last.current = listed;
          return listed;
        }
      }
    }
    return last.current;
  });
}

/** Numbers of people by status and by project 'In corso'. */
export const teamStatsQuery = queryOptions({
  queryKey: ['projects', 'stats'],
  queryFn: () => answer(api.projects.stats.$get()),
});

/** The timeline between two days. */
export function timelineQuery(from: CalendarDate, to: CalendarDate) {
  return queryOptions({
    queryKey: ['projects', 'timeline', from, to],
    queryFn: () => answer(api.projects.timeline.$get({ query: { from, to } })),
  });
}

const createProject = creatingOnce(
  async (header, json: ProjectInput): Promise<Project> => {
    const parsed = projectSchema.safeParse(await answer(api.projects.$post({ header, json })));
    if (parsed.success) return parsed.data;
    throw new ApiError({ status: 201, code: 'no_data', message: PROJECT_TEXTS.createdWithoutData });
  },
  () => draftKeyOf('project'),
);

/**
 * Creates a project. Rejects with ApiError, with the text of spec §8 when the response contains no project.
 * @param onCreated called before the lists are refetched, which may take long
 */
export const useCreateProject = (onCreated: () => void) => useTeamChange(createProject, onCreated);

/** Changes a project and its team; rejects with ApiError. */
export function useChangeProject() {
  return useTeamChange(({ id, ...json }: ProjectChange & { id: number }) =>
    answer(api.projects[':id'].$patch({ param: { id: String(id) }, json })),
  );
}

/** Closes or reopens a project; rejects with ApiError. */
export function useChangeProjectStatus() {
  return useTeamChange(({ id, status }: { id: number; status: ProjectStatus }) =>
    answer(api.projects[':id'].status.$put({ param: { id: String(id) }, json: { status } })),
  );
}

/** Changes the status of a project's team; rejects with ApiError. */
export function useChangeTeamStatus() {
  return useTeamChange(({ id, status }: { id: number; status: SwitchableStatus }) =>
    answer(api.projects[':id'].team.status.$put({ param: { id: String(id) }, json: { status } })),
  );
}

const deleteProject = removingOnce((id: number) =>
  answer(api.projects[':id'].$delete({ param: { id: String(id) } })),
);

/** Deletes a project; rejects with the text of spec §8. */
export function useDeleteProject() {
  return useTeamChange((id: number) =>
    deleteProject(id).catch((error) => {
      throw worded(error, PROJECT_FAILURES.delete);
    }),
  );
}
