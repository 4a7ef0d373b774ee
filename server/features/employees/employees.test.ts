import { describe, expect } from 'vitest';
import { addDays, formatDate, todayInRome } from '#contract/dates.ts';
import {
  EMPLOYEE_DEFAULTS,
  EMPLOYEE_SORTS,
  type EmployeeInput,
  sampleEmployees,
} from '#contract/employees.ts';
import { PROJECT_LIMITS, PROJECT_TEXTS } from '#contract/projects.ts';
import { readAs, transaction } from '#server/db/scope.ts';
import { errorOf } from '#server/testing/client.ts';
import type { TestServer } from '#server/testing/server.ts';
import { readSheet } from '#server/testing/sheet.ts';
import { test } from '#server/testing/test.ts';
import { changeEmployeeStatus } from './commands.ts';
import { exportEmployees } from './queries.ts';

const today = todayInRome();
const input: EmployeeInput = { name: 'Mario', surname: 'De Rossi', role: 'Tecnico' };

async function customer(server: TestServer) {
  const user = await server.make.user();
  return { user, ...(await server.as(user)) };
}

describe('adding employees', () => {
  test('makes them available without a project, with their details', async ({ server }) => {
    const { api } = await customer(server);
    const response = await api.employees.$post({
      header: {},
      json: { ...input, department: ' Montaggi ', email: 'Mario@Example.com', phone: '+39 333 1234567' },
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      name: 'Mario De Rossi',
      role: 'Tecnico',
      department: 'Montaggi',
      email: 'mario@example.com',
      phone: '+39 333 1234567',
      status: 'disponibile',
      project: 'Non assegnato',
      location: 'Non specificata',
      assignments: [],
      sample: false,
    });
  });

  test('reports every invalid field', async ({ server }) => {
    const visitor = await customer(server);
    const response = await visitor.send('POST', '/api/employees', { name: '', role: 'Mago', email: 'x@' });
    expect(await errorOf(response)).toMatchObject({
      status: 422,
      fields: {
        name: 'Il nome è obbligatorio',
        surname: 'Il cognome è obbligatorio',
        email: 'Indirizzo email non valido',
        role: expect.stringContaining('Ruolo non previsto'),
      },
    });
  });

  test('reads a blank e-mail as none, and says when one is too long', async ({ server }) => {
    const visitor = await customer(server);
    const person = { name: 'Ada', surname: 'Neri', role: 'Tecnico' };
    const blank = await visitor.send('POST', '/api/employees', { ...person, email: '  ' });
    expect([blank.status, await blank.json()]).toMatchObject([201, { email: null }]);
    const long = { ...person, email: `${'a'.repeat(250)}@example.com` };
    expect(await errorOf(await visitor.send('POST', '/api/employees', long))).toMatchObject({
      status: 422,
      fields: { email: 'Al massimo 254 caratteri' },
    });
  });

  test('imports a crew list into a project completely or not at all', async ({ server }) => {
    const { user, ...visitor } = await customer(server);
    const project = await server.make.project(user);
    const stranger = await server.make.project(await server.make.user());
    const employees = [input, { ...input, surname: 'Verdi', role: 'Non specificato' as const }];

    const bad = await visitor.send('POST', '/api/employees/imports', {
      employees: [...employees, { ...input, email: 'no' }],
      projectId: project.id,
    });
    expect(await errorOf(bad)).toMatchObject({
      status: 422,
      fields: { 'employees.2.email': 'Indirizzo email non valido' },
    });
    const foreign = await visitor.api.employees.imports.$post({
      header: {},
      json: { employees, projectId: stranger.id },
    });
    expect(foreign.status).toBe(404);
    const none = await visitor.api.employees.imports.$post({ header: {}, json: { employees, projectId: 0 } });
    expect(none.status).toBe(404);
    const nobody = await (await visitor.api.employees.$get({ query: {} })).json();
    expect(nobody.items.every(({ sample }) => sample)).toBe(true);

    const good = await visitor.api.employees.imports.$post({
      header: {},
      json: { employees, projectId: project.id },
    });
    expect([good.status, await good.json()]).toEqual([201, { added: 2, assigned: 0 }]);
    // An edit that was begun before would take the new people out of the team again.
    const { name, location, startDate, endDate } = project;
    const begun = { name, location, startDate, endDate, openingSpent: 0, version: 1 };
    expect((await visitor.send('PATCH', `/api/projects/${project.id}`, begun)).status).toBe(409);
    const free = await visitor.api.employees.imports.$post({ header: {}, json: { employees: [input] } });
    expect(free.status).toBe(201);
    const { items } = await (
      await visitor.api.employees.$get({ query: { sort: 'name', direction: 'asc' } })
    ).json();
    expect(items.map(({ name, status, project: on }) => [name, status, on])).toEqual([
      ['Mario De Rossi', 'in trasferta', project.name],
      ['Mario De Rossi', 'disponibile', 'Non assegnato'],
      ['Mario Verdi', 'in trasferta', project.name],
    ]);
  });

  test('assigns existing employees of a crew list once, keeping their status', async ({ server }) => {
    const { user, ...visitor } = await customer(server);
    const project = await server.make.project(user);
    const ada = await server.make.employee(user, { name: 'Ada Neri', status: 'Rientrato' });
    const ida = await server.make.employee(user, { name: 'Ida Re' }, project);
    const importing = (json: object) => visitor.send('POST', '/api/employees/imports', json);
    const both = { employeeIds: [ada.id, ida.id, ada.id], projectId: project.id };

    const mixed = await importing({ employees: [input], ...both });
    expect([mixed.status, await mixed.json()]).toEqual([201, { added: 1, assigned: 2 }]);
    const read = async () =>
      (await visitor.api.projects[':id'].$get({ param: { id: String(project.id) } })).json();
    const { version } = await read();
    const again = await importing({ employees: [], ...both });
    expect([again.status, await again.json()]).toEqual([201, { added: 0, assigned: 2 }]);
    const { team, version: unchanged } = await read();
    expect([version, unchanged]).toEqual([2, 2]);
    expect(team.map(({ name }) => name).sort()).toEqual(['Ada Neri', 'Ida Re', 'Mario De Rossi']);
    expect(team.find(({ id }) => id === ada.id)?.status).toBe('Rientrato');

    const stranger = await server.make.employee(await server.make.user());
    const foreign = await importing({
      employees: [input],
      employeeIds: [ada.id, stranger.id],
      projectId: project.id,
    });
    expect(await errorOf(foreign)).toMatchObject({
      status: 422,
      code: 'unknown_employee',
      fields: { 'employeeIds.1': 'Questo dipendente non esiste più.' },
    });
    const examples = sampleEmployees(todayInRome()).map(({ id }) => id);
    const sample = await importing({ employees: [input], employeeIds: examples, projectId: project.id });
    expect((await errorOf(sample)).code).toBe('sample_record');
    const example = await importing({ employees: [input], projectId: 99_999 });
    expect(await errorOf(example)).toMatchObject({ status: 409, code: 'sample_record' });
    expect(await errorOf(await importing({ employees: [], employeeIds: [ada.id] }))).toMatchObject({
      status: 422,
      fields: { projectId: 'Scegli un progetto' },
    });
    expect(await errorOf(await importing({ employees: [], projectId: project.id }))).toMatchObject({
      status: 422,
      fields: { employees: 'L’elenco è vuoto' },
    });
    const everybody = await (await visitor.api.employees.$get({ query: {} })).json();
    expect(everybody.total).toBe(3);
  });

  test('refuses to exceed the maximum team size, because the project could not be edited any more', async ({
    server,
  }) => {
    const { user, ...visitor } = await customer(server);
    const project = await server.make.project(user);
    await server.make.sql(
      `with crew as (insert into employees (user_id, name, role) select $1, 'Ada Neri', 'Tecnico'
        from generate_series(1, $2) returning id)
       insert into project_assignments (project_id, employee_id, user_id) select $3, id, $1 from crew`,
      [user.id, PROJECT_LIMITS.team - 1, project.id],
    );
    const importing = (employees: EmployeeInput[]) =>
      visitor.send('POST', '/api/employees/imports', { employees, projectId: project.id });
    const tooMany = { status: 422, code: 'invalid_input' };
    expect(await errorOf(await importing([input, input]))).toMatchObject({
      ...tooMany,
      fields: { projectId: PROJECT_TEXTS.teamTooLarge },
    });
    expect((await importing([input])).status).toBe(201);

    const read = await visitor.api.projects[':id'].$get({ param: { id: String(project.id) } });
    const { name, location, startDate, endDate, version, team } = await read.json();
    expect(team).toHaveLength(PROJECT_LIMITS.team);
    const employeeIds = team.map(({ id }) => id);
    const edit = { name, location, startDate, endDate, version, employeeIds };
    const more = await visitor.send('PATCH', `/api/projects/${project.id}`, {
      ...edit,
      newEmployees: [{ name: 'Bea', surname: 'Neri', role: 'Tecnico' }],
    });
    expect(await errorOf(more)).toMatchObject({
      ...tooMany,
      fields: { employeeIds: PROJECT_TEXTS.teamTooLarge },
    });
    expect((await visitor.send('PATCH', `/api/projects/${project.id}`, edit)).status).toBe(200);
  });

  test("matches names of a crew list only with the customer's own employees, ignoring case and accents", async ({
    server,
  }) => {
    const { user, ...visitor } = await customer(server);
    const project = await server.make.project(user);
    const there = await server.make.employee(user, { name: 'Nicolò Re' }, project);
    const free = await server.make.employee(user, { name: 'NICOLO RE' });
    await server.make.employee(await server.make.user(), { name: 'Ada Neri' });
    const answer = await visitor.api.employees.imports.matches.$post({
      json: { names: ['nicolo RE', 'NICOLÒ RE', 'Ada Neri', 'Ida Fiori', ''] },
    });
    const employees = [
      { id: there.id, projectIds: [project.id] },
      { id: free.id, projectIds: [] },
    ];
    const { matches } = await answer.json();
    expect(Object.fromEntries(matches.map(({ name, employees: people }) => [name, people]))).toEqual({
      'nicolo RE': employees,
      'NICOLÒ RE': employees,
    });
  });

  test('matches names despite special letters of other languages', async ({ server }) => {
    const { user, api } = await customer(server);
    await server.make.employee(user, { name: 'Ionuț Popescu' });
    await server.make.employee(user, { name: 'Lukasz Strauss' });
    const names = ['Ionut Popescu', 'IONUŢ POPESCU', 'Łukasz Strauß', 'Ionel Popescu'];
    const matches = await api.employees.imports.matches.$post({ json: { names } });
    const known = (await matches.json()).matches.map(({ name }) => name);
    expect(known.sort()).toEqual(names.slice(0, 3).sort());
  });

  test('matches names despite half a character, which PostgreSQL rejects in JSON', async ({ server }) => {
    const { user, api } = await customer(server);
    await server.make.employee(user, { name: 'Anna Neri' });
    const matches = await api.employees.imports.matches.$post({ json: { names: ['Anna\ud83d Neri'] } });
    expect((await matches.json()).matches).toMatchObject([{ name: 'Anna Neri' }]);
  });
});

describe('changing employees', () => {
  test('updates their details, and refuses an outdated version', async ({ server }) => {
    const { user, api } = await customer(server);
    const { id, version } = await server.make.employee(user);
    const param = { id: String(id) };
    const json = { name: 'Anna  Neri', role: 'Ingegnere' as const, phone: '', version };
    const changed = await api.employees[':id'].$patch({ param, json });
    const now = await changed.json();
    expect(now).toMatchObject({ name: 'Anna Neri', role: 'Ingegnere', phone: null, version: 2 });
    const late = await api.employees[':id'].$patch({ param, json: { ...json, name: 'Tardi' } });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ error: { code: 'conflict' }, current: now });
  });

  test('accepts an edit started before a status change, and keeps the new status', async ({ server }) => {
    const { user, api } = await customer(server);
    const { id, version } = await server.make.employee(user, { status: 'in trasferta' });
    const param = { id: String(id) };
    await api.employees[':id'].status.$put({ param, json: { status: 'Rientrato' } });
    const json = { name: 'Anna Neri', role: 'Ingegnere' as const, version };
    const edited = await api.employees[':id'].$patch({ param, json });
    expect([edited.status, await edited.json()]).toMatchObject([
      200,
      { name: 'Anna Neri', status: 'Rientrato', version: version + 1 },
    ]);
  });

  test("switches the status between 'in trasferta' and 'Rientrato', and records each change once", async ({
    server,
  }) => {
    const { user, ...visitor } = await customer(server);
    const { id } = await server.make.employee(user, { status: 'disponibile' });
    const param = { id: String(id) };
    const one = visitor.api.employees[':id'];
    for (const status of ['in trasferta', 'Rientrato', 'Rientrato', 'in trasferta'] as const) {
      expect(await (await one.status.$put({ param, json: { status } })).json()).toMatchObject({ status });
    }
    const refused = await visitor.send('PUT', `/api/employees/${id}/status`, { status: 'disponibile' });
    expect(await errorOf(refused)).toMatchObject({ status: 422, fields: { status: expect.any(String) } });
    const history = await (await one['status-changes'].$get({ param, query: {} })).json();
    expect(history.items.map(({ status }) => status)).toEqual([
      'in trasferta',
      'Rientrato',
      'in trasferta',
      'disponibile',
    ]);
  });

  test('keeps the current status the newest of the history, whichever of two changes began first', async ({
    server,
  }) => {
    const { user, api } = await customer(server);
    const { pool } = server.services;
    const { id } = await server.make.employee(user, { status: 'disponibile' });
    const scope = { userId: user.id, role: 'user' } as const;
    await transaction(pool, scope, async (earlier) => {
      await transaction(pool, scope, (later) => changeEmployeeStatus(later, user.id, id, 'in trasferta'));
      await changeEmployeeStatus(earlier, user.id, id, 'Rientrato');
    });
    const param = { id: String(id) };
    const { items } = await (await api.employees[':id']['status-changes'].$get({ param, query: {} })).json();
    expect(items.map(({ status }) => status)).toEqual(['Rientrato', 'in trasferta', 'disponibile']);
  });

  test('deletes an employee with all their assignments', async ({ server }) => {
    const { user, api } = await customer(server);
    const project = await server.make.project(user);
    const { id } = await server.make.employee(user, {}, project);
    const param = { id: String(id) };
    expect((await api.employees[':id'].$delete({ param })).status).toBe(204);
    expect((await api.employees[':id'].$get({ param })).status).toBe(404);
    const after = await (await api.projects[':id'].$get({ param: { id: String(project.id) } })).json();
    expect(after).toMatchObject({ teamSize: 0, team: [], version: 2 });
    const { rows } = await server.make.sql(
      'select 1 from project_assignments where employee_id = $1 union all select 1 from assignment_periods where employee_id = $1',
      [id],
    );
    expect(rows).toEqual([]);
  });

  test('is refused for samples, which can only be read', async ({ server }) => {
    const { api } = await customer(server);
    const one = api.employees[':id'];
    for (const id of ['99995', '99999']) {
      const param = { id };
      expect(await (await one.$get({ param })).json()).toMatchObject({ sample: true });
      const writes = await Promise.all([
        one.$patch({ param, json: { name: 'X', role: 'Tecnico', version: 1 } }),
        one.status.$put({ param, json: { status: 'Rientrato' } }),
        one.$delete({ param }),
      ]);
      for (const write of writes) {
        expect(await errorOf(write)).toMatchObject({ status: 409, code: 'sample_record' });
      }
    }
  });
});

describe('the list of employees', () => {
  test('shows five samples until the first employee', async ({ server }) => {
    const { user, api } = await customer(server);
    const list = async () => (await api.employees.$get({ query: {} })).json();
    expect((await list()).items.map(({ id }) => id)).toEqual([99_999, 99_998, 99_997, 99_996, 99_995]);
    const real = await server.make.employee(user);
    expect(await list()).toMatchObject({ total: 1, items: [{ id: real.id, sample: false }] });
  });

  test('sorts and searches the samples like real employees', async ({ server }) => {
    const { api } = await customer(server);
    const { user, ...real } = await customer(server);
    const projects = new Map<number, { id: number }>();
    // The same people, created in reverse so that both lists have the same order.
    for (const { name, role, status, assignments } of sampleEmployees().reverse()) {
      const employee = await server.make.employee(user, { name, role, status });
      for (const { projectId, projectName, location, startDate, endDate, completed } of assignments) {
        const state = completed ? ('Completato' as const) : ('In corso' as const);
        const values = { name: projectName, location, startDate, endDate, status: state };
        const project = projects.get(projectId) ?? (await server.make.project(user, values));
        projects.set(projectId, project);
        await server.make.assign(user, project, employee);
      }
    }
    const namesFor = async (visitor: typeof api, query: Record<string, string>) =>
      (await (await visitor.employees.$get({ query })).json()).items.map(({ name }) => name);
    for (const sort of EMPLOYEE_SORTS)
      for (const direction of ['asc', 'desc'] as const)
        for (const search of ['', 'ca', 'MODENA', 'modena  ca', 'nessuno così']) {
          const query = { sort, direction, search };
          expect([query, await namesFor(api, query)]).toEqual([query, await namesFor(real.api, query)]);
        }
  });

  test('can be searched, and filtered by status, role, project, being unassigned and ids', async ({
    server,
  }) => {
    const { user, api } = await customer(server);
    const open = await server.make.project(user, { name: 'Diga', location: 'Àvise' });
    const done = await server.make.project(user, { name: 'Porto', status: 'Completato' });
    const ada = await server.make.employee(user, { name: 'Ada', role: 'Ingegnere' }, open);
    const bea = await server.make.employee(user, { name: 'Bèa', status: 'Rientrato' }, done);
    await server.make.employee(user, { name: 'Ciro', status: 'disponibile', email: 'ciro@example.com' });
    const work = { department: 'Carpenteria', phone: '333.12 34-567 (casa)' };
    await server.make.employee(user, { name: 'Dora', role: EMPLOYEE_DEFAULTS.role, ...work });
    const stranger = await server.make.user();
    const foreign = await server.make.employee(stranger, { name: 'Dora', role: EMPLOYEE_DEFAULTS.role });
    const found = async (query: Record<string, string>) => {
      const page = await (
        await api.employees.$get({ query: { ...query, sort: 'name', direction: 'asc' } })
      ).json();
      expect(page.total).toBe(page.items.length);
      return page.items.map(({ name }) => name);
    };
    expect(await found({})).toEqual(['Ada', 'Bèa', 'Ciro', 'Dora']);
    expect(await found({ search: 'BEA' })).toEqual(['Bèa']);
    expect(await found({ search: 'avise' })).toEqual(['Ada']);
    expect(await found({ search: 'avise  ADA' })).toEqual(['Ada']);
    expect(await found({ search: 'avise ciro' })).toEqual([]);
    expect(await found({ search: 'ciro@' })).toEqual(['Ciro']);
    for (const search of ['CARPENTERÍA dora', '3331234567', 'dora 333-123', '333 12 34 567', '0039 333 1234'])
      expect([search, await found({ search })]).toEqual([search, ['Dora']]);
    for (const search of ['3331234568', 'dora 12', '33 13', '%'])
      expect([search, await found({ search })]).toEqual([search, []]);
    expect(await found({ status: 'Rientrato' })).toEqual(['Bèa']);
    expect(await found({ role: 'Ingegnere' })).toEqual(['Ada']);
    expect(await found({ role: EMPLOYEE_DEFAULTS.role })).toEqual(['Dora']);
    expect(await found({ projectId: String(done.id) })).toEqual(['Bèa']);
    expect(await found({ projectId: '0' })).toEqual(['Bèa', 'Ciro', 'Dora']);
    expect(await found({ projectId: '' })).toEqual(await found({}));
    expect(await found({ ids: [bea, foreign, ada].map(({ id }) => id).join() })).toEqual(['Ada', 'Bèa']);
    expect(await found({ ids: '9'.repeat(15) })).toEqual([]);
    for (const ids of ['Ada', '1,', Array.from({ length: 101 }, (_, id) => id).join()]) {
      expect((await api.employees.$get({ query: { ids } })).status).toBe(422);
    }
  });

  test('finds names despite special letters of other languages', async ({ server }) => {
    const { user, api } = await customer(server);
    const names = ['Ionuț Popescu', 'Łukasz Żak', 'Đorđe Čović'];
    for (const name of names) await server.make.employee(user, { name });
    const found = async (search: string) =>
      (await (await api.employees.$get({ query: { search } })).json()).items.map(({ name }) => name);
    expect(await found('ionut')).toEqual(['Ionuț Popescu']);
    expect(await found('Ionuţ')).toEqual(['Ionuț Popescu']);
    expect(await found('lukasz zak')).toEqual(['Łukasz Żak']);
    expect(await found('DORDE COVIC')).toEqual(['Đorđe Čović']);
  });

  test('has pages without gaps or repetitions in every order', async ({ server }) => {
    const { user, api } = await customer(server);
    for (let index = 0; index < 5; index += 1) {
      await server.make.employee(user, {
        name: `Nome ${index % 2}`,
        status: index % 2 ? 'Rientrato' : 'disponibile',
      });
    }
    for (const sort of ['createdAt', 'name', 'role', 'status'] as const) {
      for (const direction of ['asc', 'desc'] as const) {
        const whole = await (await api.employees.$get({ query: { sort, direction } })).json();
        const joined: number[] = [];
        let cursor: string | null | undefined;
        do {
          const query = { sort, direction, limit: '2', ...(cursor && { cursor }) };
          const page = await (await api.employees.$get({ query })).json();
          joined.push(...page.items.map(({ id }) => id));
          cursor = page.nextCursor;
        } while (cursor);
        expect(joined).toEqual(whole.items.map(({ id }) => id));
        expect(joined).toHaveLength(5);
      }
    }
  });

  test('derives the current project and location from the assignments', async ({ server }) => {
    const { user, api } = await customer(server);
    const next = await server.make.project(user, {
      name: 'Dopo',
      startDate: addDays(today, 40),
      endDate: addDays(today, 50),
    });
    const current = await server.make.project(user, { name: 'Adesso', location: 'Gela' });
    const person = await server.make.employee(user, {}, next);
    await server.make.assign(user, current, person);
    const one = await (await api.employees[':id'].$get({ param: { id: String(person.id) } })).json();
    expect(one).toMatchObject({ project: 'Adesso', location: 'Gela' });
    expect(one.assignments.map(({ projectName }) => projectName)).toEqual(['Dopo', 'Adesso']);
  });
});

describe('the history of assignments', () => {
  test('keeps assignments after removal from a project and after deletion of the project', async ({
    server,
  }) => {
    const { user, api } = await customer(server);
    const person = await server.make.employee(user);
    const left = await server.make.project(user, { name: 'Lasciato' });
    const gone = await server.make.project(user, { name: 'Eliminato', location: 'Crotone' });
    await server.make.assign(user, left, person);
    await server.make.assign(user, gone, person);
    const param = (id: number) => ({ param: { id: String(id) } });
    const change = { name: 'Lasciato bis', location: 'Ravenna', employeeIds: [], version: 1 };
    await api.projects[':id'].$patch({ ...param(left.id), json: change });
    await api.projects[':id'].$delete(param(gone.id));
    const asked = { ...param(person.id), query: {} };
    const history = await (await api.employees[':id'].assignments.$get(asked)).json();
    expect(history.items).toEqual([
      expect.objectContaining({
        projectId: null,
        projectName: 'Eliminato',
        location: 'Crotone',
        startDate: gone.startDate,
        endDate: gone.endDate,
        removedAt: expect.any(String),
      }),
      expect.objectContaining({
        projectId: left.id,
        projectName: 'Lasciato bis',
        removedAt: expect.any(String),
      }),
    ]);
  });
});

test('the history of an employee is read in pages, each entry once, also those of the same instant', async ({
  server,
}) => {
  const { user, api } = await customer(server);
  const { id } = await server.make.employee(user, { status: 'disponibile' });
  const other = await server.make.employee(user);
  await server.make.sql(
    `insert into employee_status_changes (employee_id, user_id, status, at)
      select $1, $2, 'Rientrato', now() - n / 3 * interval '1 day' from generate_series(1, 10) n`,
    [id, user.id],
  );
  for (let made = 0; made < 7; made += 1) {
    const project = await server.make.project(user, { name: `Cantiere ${made}` });
    await server.make.assign(user, project, { id });
    await server.make.assign(user, project, other);
  }
  const one = api.employees[':id'];
  const param = { id: String(id) };
  for (const [route, total] of [
    [one['status-changes'], 11],
    [one.assignments, 7],
  ] as const) {
    const found: number[] = [];
    let cursor: string | null = null;
    do {
      const query: { limit: string; cursor?: string } = { limit: '4', ...(cursor && { cursor }) };
      const page = await (await route.$get({ param, query })).json();
      expect(page.total).toBe(total);
      expect(page.items.length).toBeLessThanOrEqual(4);
      found.push(...page.items.map((entry) => entry.id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(new Set(found).size).toBe(total);
    expect(found).toHaveLength(total);
  }
});

describe('an export of employees', () => {
  const linesOf = (csv: string) => csv.replace('\uFEFF', '').split('\r\n').slice(0, -1);

  test('tells about each person together with the project that is asked for, or where they are', async ({
    server,
  }) => {
    const { user, ...visitor } = await customer(server);
    const priolo = await server.make.project(user, { name: 'Priolo; nord', location: 'Priolo' });
    const modena = await server.make.project(user, {
      name: 'Modena',
      location: 'Modena',
      startDate: addDays(today, 90),
      endDate: addDays(today, 90),
    });
    const details = { department: 'Montaggi', email: 'ada@example.com', phone: '02 1234567' };
    const ada = await server.make.employee(user, { name: 'Ada Neri', ...details }, priolo);
    await server.make.assign(user, modena, ada);
    await server.make.employee(user, { name: '=1+1', status: 'disponibile', role: 'Ingegnere' });
    await server.make.employee(await server.make.user(), { name: 'Di un altro' });
    const exported = async (query: string) => {
      const response = await visitor.request(`/api/employees/export?format=csv${query}`);
      expect(response.headers.get('content-disposition')).toContain(`filename="team-${today}.csv"`);
      return linesOf(await response.text());
    };
    const heading = 'Nome e cognome;Ruolo;Reparto;Email;Telefono;Stato;Progetto;Località;Dal;Al';
    const person = 'Ada Neri;Tecnico;Montaggi;ada@example.com;02 1234567;in trasferta';
    const [here, there] = [priolo, modena].map(
      ({ startDate, endDate }) => `${formatDate(startDate)};${formatDate(endDate)}`,
    );
    expect(await exported('&sort=name&direction=asc')).toEqual([
      heading,
      `"'=1+1";Ingegnere;;;;disponibile;;;;`,
      `${person};"Priolo; nord";Priolo;${here}`,
    ]);
    expect(await exported(`&projectId=${modena.id}`)).toEqual([heading, `${person};Modena;Modena;${there}`]);
    expect(await exported('&status=disponibile')).toHaveLength(2);
    expect(await exported('&search=nessuno')).toEqual([heading]);
  });

  test('has no examples', async ({ server }) => {
    const visitor = await customer(server);
    const response = await visitor.request('/api/employees/export?format=xlsx');
    expect(readSheet(new Uint8Array(await response.arrayBuffer()))).toHaveLength(1);
    expect((await visitor.request('/api/employees/export?format=pdf')).status).toBe(422);
  });

  test('has everybody once, in the order of the list, though they change while it is read', async ({
    server,
  }) => {
    const { user, send } = await customer(server);
    const people: Awaited<ReturnType<typeof server.make.employee>>[] = [];
    for (const name of ['Ada', 'Bea', 'Ciro', 'Dino', 'Ezio'])
      people.push(await server.make.employee(user, { name, status: 'disponibile' }));
    await server.make.employee(user, { name: 'Ugo', status: 'in trasferta' });
    const db = readAs(server.services.pool, { userId: user.id, role: 'user' });
    const filters = { sort: 'status', direction: 'asc' } as const;
    const names: string[] = [];
    for await (const page of await exportEmployees(db, user.id, filters, today, { atOnce: 2, most: 6 })) {
      // Behind and before the place that has been reached.
      if (names.length === 0) {
        await send('PUT', `/api/employees/${people[0]?.id}/status`, { status: 'in trasferta' });
        await send('DELETE', `/api/employees/${people[3]?.id}`, null);
      }
      names.push(...page.map(({ name }) => name));
    }
    expect(names).toEqual(['Ada', 'Bea', 'Ciro', 'Ezio', 'Ugo']);
    await expect(exportEmployees(db, user.id, filters, today, { most: 4 })).rejects.toMatchObject({
      code: 'employee_export_too_large',
    });
  });
});
