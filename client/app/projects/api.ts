import {
  type InfiniteData,
  infiniteQueryOptions,
  notifyManager,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import { ApiError, answer, answerWithJson, api } from '#client/lib/api.ts';
import { draftKeyOf } from '#client/lib/drafts.ts';
import { type Texts, worded } from '#client/lib/failures.ts';
import { creatingOnce } from '#client/lib/idempotency.ts';
import { paramsOf } from '#client/lib/list-params.ts';
import { useOnNewDay } from '#client/lib/new-day.ts';
import { refetchAfterWrite } from '#client/lib/refetch-after-write.ts';
import { removingOnce } from '#client/lib/removing-once.ts';
import type { CalendarDate } from '#contract/dates.ts';
import {
  type CrewImport,
  EMPLOYEE_FAILURES,
  type Employee,
  type EmployeeChange,
  type EmployeeInput,
  type EmployeeListQuery,
  type EmployeeStatus,
  type SwitchableStatus,
} from '#contract/employees.ts';
import { MAX_PAGE_SIZE } from '#contract/lists.ts';
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
import { crewImportFailure } from './crew-import-failure.ts';

type Page<Item> = { items: Item[]; nextCursor: string | null; total: number };
type Pages<Item> = InfiniteData<Page<Item>, unknown>;

/** Common prefix of the query keys of project lists. */
export const PROJECT_LISTS = ['projects', 'list'] as const;

/** Matching projects, page by page. */
export function projectsQuery(filters: Partial<ProjectListQuery>) {
  return infiniteQueryOptions({
    queryKey: [...PROJECT_LISTS, filters],
    queryFn: ({ pageParam: cursor }) =>
      answer(api.projects.$get({ query: paramsOf({ ...filters, cursor }) })) as Promise<Page<Project>>,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
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
      const pages = (state.data as Pages<Project> | undefined)?.pages ?? [];
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

/** Matching employees, page by page. See also `employeesByIdQuery`. */
export function employeesQuery(filters: Partial<Omit<EmployeeListQuery, 'ids'>>) {
  return infiniteQueryOptions({
    queryKey: ['employees', 'list', filters],
    queryFn: ({ pageParam: cursor }) =>
      answer(api.employees.$get({ query: paramsOf({ ...filters, cursor }) })) as Promise<Page<Employee>>,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

/** The employees with these ids, except those that do not exist, a part of the ids at a time: all do not fit in a URL. */
export function employeesByIdQuery(ids: readonly number[]) {
  return infiniteQueryOptions({
    queryKey: ['employees', 'list', { ids }],
    queryFn: ({ pageParam: from }) =>
      answer(
        api.employees.$get({
          query: paramsOf({ ids: ids.slice(from, from + MAX_PAGE_SIZE).join(), limit: MAX_PAGE_SIZE }),
        }),
      ) as Promise<Page<Employee>>,
    initialPageParam: 0,
    getNextPageParam: (_page, _pages, from) =>
      from + MAX_PAGE_SIZE < ids.length ? from + MAX_PAGE_SIZE : undefined,
    enabled: ids.length > 0,
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

/** Every project an employee has been on, and every status they have had. */
export function historyQuery(employeeId: number) {
  return queryOptions({
    queryKey: ['employees', 'history', employeeId],
    queryFn: () => answer(api.employees[':id'].history.$get({ param: { id: String(employeeId) } })),
  });
}

/** Which of `names` are already employees, and their records: requested before a crew list is imported. */
export function crewMatchesQuery(names: readonly string[]) {
  return queryOptions({
    queryKey: ['employees', 'matches', names],
    queryFn: () => answer(api.employees.imports.matches.$post({ json: { names: [...names] } })),
    enabled: names.length > 0,
    // Employees added meanwhile count.
    staleTime: 0,
  });
}

/** Refetches everything that shows projects or employees. */
function refresh(client: QueryClient): Promise<unknown> {
  return Promise.all(
    ['projects', 'employees', 'dashboard', 'invoices'].map((key) =>
      client.invalidateQueries({ queryKey: [key] }),
    ),
  );
}

/** Refetches all of that when the day changes: a project's progress and an employee's location depend on it. */
export function useDailyRefresh(): void {
  const client = useQueryClient();
  useOnNewDay(() => refresh(client));
}

/** For `catch`: rejects with the texts of spec §8. */
function saying(texts: Texts): (error: unknown) => never {
  return (error) => {
    throw worded(error, texts);
  };
}

/**
 * A mutation after which every list is refetched, whether it succeeded or not.
 * @param onSuccess called before the lists are refetched
 */
function useChange<Input, Result>(change: (input: Input) => Promise<Result>, onSuccess?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    ...(onSuccess && { onSuccess }),
    onSettled: refetchAfterWrite(() => refresh(client)),
  });
}

const paramOf = (id: number) => ({ id: String(id) });

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
export const useCreateProject = (onCreated: () => void) => useChange(createProject, onCreated);

/** Changes a project and its team; rejects with ApiError. */
export function useChangeProject() {
  return useChange(({ id, ...json }: ProjectChange & { id: number }) =>
    answer(api.projects[':id'].$patch({ param: paramOf(id), json })),
  );
}

/** Closes or reopens a project; rejects with ApiError. */
export function useChangeProjectStatus() {
  return useChange(({ id, status }: { id: number; status: ProjectStatus }) =>
    answer(api.projects[':id'].status.$put({ param: paramOf(id), json: { status } })),
  );
}

const deleteProject = removingOnce((id: number) =>
  answer(api.projects[':id'].$delete({ param: paramOf(id) })),
);

/** Deletes a project; rejects with the text of spec §8. */
export function useDeleteProject() {
  return useChange((id: number) => deleteProject(id).catch(saying(PROJECT_FAILURES.delete)));
}

const addEmployee = creatingOnce((header, json: EmployeeInput) =>
  answer(api.employees.$post({ header, json })).catch(saying(EMPLOYEE_FAILURES.add)),
);

/** Adds an employee outside a project; rejects with the text of spec §8. */
export const useAddEmployee = () => useChange(addEmployee);

/** Changes an employee; rejects with ApiError. */
export function useChangeEmployee() {
  return useChange(({ id, ...json }: EmployeeChange & { id: number }) =>
    answer(api.employees[':id'].$patch({ param: paramOf(id), json })),
  );
}

const deleteEmployee = removingOnce((id: number) =>
  answer(api.employees[':id'].$delete({ param: paramOf(id) })),
);

/** Deletes an employee; rejects with the text of spec §8. */
export function useDeleteEmployee() {
  return useChange((id: number) => deleteEmployee(id).catch(saying(EMPLOYEE_FAILURES.delete)));
}

const importCrew = creatingOnce((header, json: CrewImport) =>
  answerWithJson(api.employees.imports.$post({ header, json })).catch((error) => {
    throw crewImportFailure(error);
  }),
);

/** Imports a crew list, all or nothing; rejects with `crewImportFailure`. */
export const useImportCrew = () => useChange(importCrew);

function mapItems<Item>(data: Pages<Item> | undefined, map: (item: Item) => Item): Pages<Item> | undefined {
  return data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(map) })) };
}

/**
 * For each person whose status is being changed: the status the server is known to have, and the number of pending
 * changes.
 */
const switching = new Map<number, { held: EmployeeStatus; underWay: number }>();

/**
 * Changes the status of the employee `id`, shown everywhere at once and stored in the order of the choices. When the
 * last of several pending changes fails, the server's status is shown again. Rejects with the text of spec §8.
 */
export function useChangeEmployeeStatus(id: number) {
  const client = useQueryClient();
  const employees = { queryKey: ['employees', 'list'] };
  const projects = { queryKey: PROJECT_LISTS };
  const show = (id: number, status: EmployeeStatus) => {
    const switched = <Person extends { id: number }>(person: Person) =>
      person.id === id ? { ...person, status } : person;
    client.setQueriesData<Pages<Employee>>(employees, (data) => mapItems(data, switched));
    client.setQueriesData<Pages<Project>>(projects, (data) =>
      mapItems(data, (project) => ({ ...project, team: project.team.map(switched) })),
    );
  };
  /** @param answered the server's status after a successful change */
  const ended = (id: number, answered?: EmployeeStatus) => {
    const now = switching.get(id);
    if (!now) return;
    const held = answered ?? now.held;
    if (now.underWay > 1) {
      switching.set(id, { held, underWay: now.underWay - 1 });
      return;
    }
    switching.delete(id);
    // Does not restore the previous lists, because the status of others in them may have changed since.
    show(id, held);
  };
  return useMutation({
    scope: { id: `status of ${id}` },
    mutationFn: ({ person, status }: { person: Pick<Employee, 'id' | 'status'>; status: SwitchableStatus }) =>
      answer(api.employees[':id'].status.$put({ param: paramOf(person.id), json: { status } })).catch(
        saying(EMPLOYEE_FAILURES.status),
      ),
    onMutate: async ({ person, status }) => {
      const { held, underWay } = switching.get(person.id) ?? { held: person.status, underWay: 0 };
      switching.set(person.id, { held, underWay: underWay + 1 });
      await Promise.all([client.cancelQueries(employees), client.cancelQueries(projects)]);
      show(person.id, status);
    },
    onSuccess: (_answer, { person, status }) => ended(person.id, status),
    onError: (_error, { person }) => ended(person.id),
    // While others are pending, the lists would show the statuses from before them.
    onSettled: refetchAfterWrite(async () => {
      if (switching.size === 0) await refresh(client);
    }),
  });
}
