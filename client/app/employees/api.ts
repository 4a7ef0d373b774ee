import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { answerFile } from '#client/lib/answer-file.ts';
import { answer, answerWithJson, api, fileApi } from '#client/lib/api.ts';
import { type Texts, worded } from '#client/lib/failures.ts';
import { creatingOnce } from '#client/lib/idempotency.ts';
import type { ListPage, ListPages } from '#client/lib/list-pages.ts';
import { paramsOf } from '#client/lib/list-params.ts';
import { listQuery } from '#client/lib/list-query.ts';
import { useOnNewDay } from '#client/lib/new-day.ts';
import { readAgain, refetchAfterWrite } from '#client/lib/refetch-after-write.ts';
import { removingOnce } from '#client/lib/removing-once.ts';
import {
  type CrewImport,
  EMPLOYEE_FAILURES,
  type Employee,
  type EmployeeChange,
  type EmployeeFilters,
  type EmployeeInput,
  type EmployeeListQuery,
  type EmployeeStatus,
  type SwitchableStatus,
} from '#contract/employees.ts';
import { EXPORT_TYPES, type ExportFormat, MAX_PAGE_SIZE } from '#contract/lists.ts';
import type { Project } from '#contract/projects.ts';
import { crewImportFailure } from './crew-import-failure.ts';

/** Matching employees, page by page. See also `employeesByIdQuery`. */
export function employeesQuery(filters: Partial<Omit<EmployeeListQuery, 'ids'>>) {
  return {
    ...listQuery(['employees', 'list', filters], (cursor) =>
      answer(api.employees.$get({ query: paramsOf({ ...filters, cursor }) })),
    ),
    // A search without matches must not pass for having no employees.
    placeholderData: undefined,
  };
}

/** The matching employees as a file. */
export function exportEmployees(filters: EmployeeFilters, format: ExportFormat): Promise<Blob> {
  return answerFile(
    fileApi.employees.export.$get({ query: paramsOf({ ...filters, format }) }),
    EXPORT_TYPES[format],
  );
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
      ) as Promise<ListPage<Employee>>,
    initialPageParam: 0,
    getNextPageParam: (_page, _pages, from) =>
      from + MAX_PAGE_SIZE < ids.length ? from + MAX_PAGE_SIZE : undefined,
    enabled: ids.length > 0,
  });
}

/** The projects an employee has been on, the latest assignment first. */
export function assignmentsQuery(employeeId: number) {
  const param = { id: String(employeeId) };
  return listQuery(['employees', 'assignments', employeeId], (cursor) =>
    answer(api.employees[':id'].assignments.$get({ param, query: paramsOf({ cursor }) })),
  );
}

/** How many statuses are shown at first. */
const RECENT_CHANGES = 8;

/** The statuses an employee has had, the latest first. */
export function statusChangesQuery(employeeId: number) {
  const param = { id: String(employeeId) };
  return listQuery(['employees', 'status-changes', employeeId], (cursor) =>
    answer(
      api.employees[':id']['status-changes'].$get({
        param,
        query: paramsOf({ cursor, limit: cursor === undefined ? RECENT_CHANGES : undefined }),
      }),
    ),
  );
}

/** Which of `names` are already employees, and their records: requested before a crew list is imported. */
export function crewMatchesQuery(names: readonly string[]) {
  return queryOptions({
    queryKey: ['employees', 'matches', names],
    queryFn: () => answer(api.employees.imports.matches.$post({ json: { names: [...names] } })),
    // Employees added meanwhile count.
    staleTime: 0,
  });
}

/** Refetches everything that shows projects or employees. */
function refresh(client: QueryClient): Promise<unknown> {
  return readAgain(client, ['projects'], ['employees'], ['dashboard'], ['invoices']);
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
 * A mutation after which everything that shows projects or employees is refetched, whether it succeeded or not.
 * @param onSuccess called before the lists are refetched
 */
export function useTeamChange<Input, Result>(
  change: (input: Input) => Promise<Result>,
  onSuccess?: () => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    ...(onSuccess && { onSuccess }),
    onSettled: refetchAfterWrite(() => refresh(client)),
  });
}

const addEmployee = creatingOnce((header, json: EmployeeInput) =>
  answer(api.employees.$post({ header, json })).catch(saying(EMPLOYEE_FAILURES.add)),
);

/** Adds an employee outside a project; rejects with the text of spec §8. */
export const useAddEmployee = () => useTeamChange(addEmployee);

/** Changes an employee; rejects with ApiError. */
export function useChangeEmployee() {
  return useTeamChange(({ id, ...json }: EmployeeChange & { id: number }) =>
    answer(api.employees[':id'].$patch({ param: { id: String(id) }, json })),
  );
}

const deleteEmployee = removingOnce((id: number) =>
  answer(api.employees[':id'].$delete({ param: { id: String(id) } })),
);

/** Deletes an employee; rejects with the text of spec §8. */
export function useDeleteEmployee() {
  return useTeamChange((id: number) => deleteEmployee(id).catch(saying(EMPLOYEE_FAILURES.delete)));
}

const importCrew = creatingOnce((header, json: CrewImport) =>
  answerWithJson(api.employees.imports.$post({ header, json })).catch((error) => {
    throw crewImportFailure(error);
  }),
);

/** Imports a crew list, all or nothing; rejects with `crewImportFailure`. */
export const useImportCrew = () => useTeamChange(importCrew);

function mapItems<Item>(
  data: ListPages<Item> | undefined,
  map: (item: Item) => Item,
): ListPages<Item> | undefined {
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
  const projects = { queryKey: ['projects', 'list'] };
  const show = (id: number, status: EmployeeStatus) => {
    const switched = <Person extends { id: number }>(person: Person) =>
      person.id === id ? { ...person, status } : person;
    client.setQueriesData<ListPages<Employee>>(employees, (data) => mapItems(data, switched));
    client.setQueriesData<ListPages<Project>>(projects, (data) =>
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
      answer(api.employees[':id'].status.$put({ param: { id: String(person.id) }, json: { status } })).catch(
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
