import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, vi } from 'vitest';
import { addDays, type CalendarDate, todayInRome } from '#contract/dates.ts';
import {
  PROJECT_SORTS,
  PROJECT_TEXTS,
  type Project,
  type ProjectChange,
  type ProjectInput,
  type ProjectStatus,
  sampleProjects,
} from '#contract/projects.ts';
import { toNumeric } from '#server/db/money.ts';
import { errorOf, type Visitor } from '#server/testing/client.ts';
import { duringTransaction, waitForLocks } from '#server/testing/locks.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';

let today = todayInRome();
// A run may go on after midnight.
beforeEach(() => {
  today = todayInRome();
});
const input: ProjectInput = { name: 'Turbogas Brindisi', location: 'Brindisi' };

async function customer(server: TestServer) {
  const user = await server.make.user();
  return { user, ...(await server.as(user)) };
}

async function create(visitor: Visitor, values: Partial<ProjectInput> = {}): Promise<Project> {
  const response = await visitor.api.projects.$post({ header: {}, json: { ...input, ...values } });
  expect(response.status).toBe(201);
  return response.json();
}

/** A change that leaves `project` as it is. */
function unchanged(project: Project): ProjectChange {
  const { name, location, startDate, endDate, projectedTotal, openingSpent, version, team } = project;
  const employeeIds = team.map(({ id }) => id);
  return { name, location, startDate, endDate, projectedTotal, openingSpent, version, employeeIds };
}

describe('creating a project', () => {
  test('assigns existing and new employees, as in spec §5', async ({ server }) => {
    const { user, ...visitor } = await customer(server);
    const existing = await server.make.employee(user, { name: 'Bruna Alfieri', status: 'disponibile' });
    const project = await create(visitor, {
      name: '  Turbogas Brindisi ',
      location: ' Brindisi ',
      startDate: addDays(today, -10),
      endDate: addDays(today, 30),
      projectedTotal: 12_480.5,
      spentToDate: 100.1,
      employeeIds: [existing.id, existing.id],
      newEmployees: [
        { name: ' Mario ', surname: 'De  Rossi', role: 'Capocantiere' },
        { name: '\u202EBruno\u200B', surname: '\uFEFF Verdi', role: 'Tecnico' },
        { name: 'Senza', surname: '', role: 'Tecnico' },
        { name: '\u200B', surname: 'Nome', role: 'Tecnico' },
        { name: 'Senza', surname: 'Ruolo', role: '' },
      ],
      userId: user.id,
    });
    expect(project).toMatchObject({
      name: 'Turbogas Brindisi',
      location: 'Brindisi',
      status: 'In corso',
      progress: 25,
      teamSize: 3,
      projectedTotal: 12_480.5,
      openingSpent: 100.1,
      spentToDate: 100.1,
      sample: false,
      version: 1,
    });
    expect(project.team.map(({ name, role, status }) => [name, role, status])).toEqual([
      ['Bruna Alfieri', 'Tecnico', 'disponibile'],
      ['Bruno Verdi', 'Tecnico', 'in trasferta'],
      ['Mario De Rossi', 'Capocantiere', 'in trasferta'],
    ]);
    const read = await visitor.api.projects[':id'].$get({ param: { id: String(project.id) } });
    expect(await read.json()).toEqual(project);
  });

  test('uses today for empty dates and zero for empty amounts', async ({ server }) => {
    const visitor = await customer(server);
    expect(await create(visitor)).toMatchObject({
      startDate: today,
      endDate: today,
      progress: 100,
      teamSize: 0,
      team: [],
      projectedTotal: 0,
      spentToDate: 0,
    });
  });

  test('sets an empty end date to a start date in the future, and so does an edit', async ({ server }) => {
    const visitor = await customer(server);
    const startDate = addDays(today, 20);
    const project = await create(visitor, { startDate });
    expect(project).toMatchObject({ startDate, endDate: startDate, progress: 0 });
    const later = addDays(today, 30);
    const answer = await visitor.send('PATCH', `/api/projects/${project.id}`, {
      ...unchanged(project),
      startDate: later,
      endDate: null,
    });
    expect(await answer.json()).toMatchObject({ startDate: later, endDate: later });
  });

  test('sent before midnight without a start, to end that day, is the same when sent again after it', async ({
    server,
  }) => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-03-02T22:59:00Z') });
    const { api } = await customer(server);
    const header = { 'idempotency-key': randomUUID() };
    const json = { ...input, endDate: todayInRome() };
    const first = await api.projects.$post({ header, json });
    expect(first.status).toBe(201);
    vi.setSystemTime(new Date('2027-03-02T23:01:00Z'));
    const again = await api.projects.$post({ header, json });
    expect(again.status).toBe(201);
    expect((await again.json()).id).toBe((await first.json()).id);
    expect(await errorOf(await api.projects.$post({ header: {}, json }))).toMatchObject({
      status: 422,
      fields: { endDate: PROJECT_TEXTS.endBeforeStart },
    });
  });

  test('reports every invalid field and stores nothing', async ({ server }) => {
    const visitor = await customer(server);
    const response = await visitor.send('POST', '/api/projects', {
      name: '  ',
      endDate: '2026-02-31',
      projectedTotal: -1,
      newEmployees: [{ name: 'A', surname: 'B', role: 'Astronauta' }],
      surprise: true,
    });
    expect(await errorOf(response)).toMatchObject({
      status: 422,
      code: 'invalid_input',
      fields: {
        name: 'Il nome del progetto è obbligatorio',
        location: 'La località è obbligatoria',
        endDate: 'Data non valida. Usa il formato gg/mm/aaaa.',
        projectedTotal: 'L’importo non può essere negativo',
        'newEmployees.0.role': expect.stringContaining('Ruolo non previsto'),
        surprise: 'Campo non previsto: surprise',
      },
    });
    const reversed = await visitor.send('POST', '/api/projects', {
      ...input,
      startDate: addDays(today, 2),
      endDate: addDays(today, 1),
    });
    expect(await errorOf(reversed)).toMatchObject({
      status: 422,
      fields: { endDate: PROJECT_TEXTS.endBeforeStart },
    });
    expect((await (await visitor.api.projects.$get({ query: {} })).json()).items.every((p) => p.sample)).toBe(
      true,
    );
  });

  test("refuses another account's id, another customer's employee or a sample, and stores nothing", async ({
    server,
  }) => {
    const visitor = await customer(server);
    const stranger = await server.make.user();
    const foreign = await server.make.employee(stranger);
    const own = await server.make.employee(visitor.user);
    const refusals = await Promise.all(
      [
        { ...input, userId: stranger.id },
        {
          ...input,
          employeeIds: [own.id, foreign.id, own.id, foreign.id],
          newEmployees: [{ name: 'A', surname: 'B', role: 'Tecnico' }],
        },
        { ...input, employeeIds: [99_999] },
      ].map(async (body) => errorOf(await visitor.send('POST', '/api/projects', body))),
    );
    expect(refusals).toMatchObject([
      { status: 403, message: 'Errore di autenticazione - ID utente non corrispondente' },
      {
        status: 422,
        code: 'unknown_employee',
        fields: {
          'employeeIds.1': 'Questo dipendente non esiste più.',
          'employeeIds.3': 'Questo dipendente non esiste più.',
        },
      },
      { status: 409, code: 'sample_record' },
    ]);
    const employees = await (await visitor.api.employees.$get({ query: {} })).json();
    expect(employees.items.map(({ id }) => id)).toEqual([own.id]);
  });
});

describe('changing a project', () => {
  test('updates every field and the team, and refuses an outdated version', async ({ server }) => {
    const { user, ...visitor } = await customer(server);
    const leaving = await server.make.employee(user, { name: 'Aldo Uno' });
    const joining = await server.make.employee(user, { name: 'Berta Due' });
    const project = await create(visitor, { employeeIds: [leaving.id], spentToDate: 50 });
    const param = { id: String(project.id) };
    const json: ProjectChange = {
      name: 'Turbogas Due',
      location: 'Taranto',
      startDate: addDays(today, 1),
      endDate: addDays(today, 9),
      projectedTotal: 10,
      openingSpent: 20.25,
      employeeIds: [joining.id],
      newEmployees: [{ name: 'Carlo', surname: 'Tre', role: 'Ingegnere' }],
      version: 1,
    };
    const changed = await visitor.api.projects[':id'].$patch({ param, json });
    const now = await changed.json();
    expect(now).toMatchObject({
      name: 'Turbogas Due',
      location: 'Taranto',
      progress: 0,
      projectedTotal: 10,
      openingSpent: 20.25,
      spentToDate: 20.25,
      teamSize: 2,
      team: [{ name: 'Berta Due' }, { name: 'Carlo Tre' }],
      version: 2,
    });

    const late = await visitor.api.projects[':id'].$patch({ param, json: { ...json, name: 'Tardi' } });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({
      error: {
        code: 'conflict',
        message:
          'Qualcun altro ha modificato questi dati nel frattempo. Controlla come sono adesso e riprova.',
        requestId: late.headers.get('X-Request-Id'),
      },
      current: now,
    });
    const read = await visitor.api.projects[':id'].$get({ param });
    expect(await read.json()).toEqual(now);
  });

  test("is refused with another customer's employee, and changes nothing", async ({ server }) => {
    const visitor = await customer(server);
    const foreign = await server.make.employee(await server.make.user());
    const project = await create(visitor);
    const param = { id: String(project.id) };
    const json = { ...unchanged(project), name: 'Altro', employeeIds: [foreign.id] };
    const refused = await visitor.api.projects[':id'].$patch({ param, json });
    expect(await errorOf(refused)).toMatchObject({
      status: 422,
      fields: { 'employeeIds.0': 'Questo dipendente non esiste più.' },
    });
    expect(await (await visitor.api.projects[':id'].$get({ param })).json()).toEqual(project);
  });

  test('adds each new employee once, even when sent again with the new version', async ({ server }) => {
    const { user, ...visitor } = await customer(server);
    const project = await create(visitor);
    const people = (...names: string[]) =>
      names.map((name) => ({ name, surname: 'Neri', role: 'Tecnico' as const, key: randomUUID() }));
    const newEmployees = people('Ada', 'Bea', 'Ada');
    const edit = (change: Partial<ProjectChange>) =>
      visitor.send('PATCH', `/api/projects/${project.id}`, { ...unchanged(project), ...change });

    const first = await edit({ newEmployees });
    const { team } = (await first.json()) as Project;
    expect(team).toHaveLength(3);
    const [entry] = people('Carla');
    const late = await edit({ newEmployees });
    expect(late.status).toBe(409);
    const again = await edit({ newEmployees: [...newEmployees, ...(entry ? [entry] : [])], version: 2 });
    const now = (await again.json()) as Project;
    expect(now.team.map(({ name }) => name)).toEqual(['Ada Neri', 'Ada Neri', 'Bea Neri', 'Carla Neri']);
    expect(now.team).toEqual(expect.arrayContaining(team));
    const { total } = await (await visitor.api.employees.$get({ query: {} })).json();
    expect(total).toBe(4);
    // Nobody who stays on the team was removed in between.
    const { rows } = await server.make.sql(
      'select from assignment_periods where user_id = $1 and removed_at is not null',
      [user.id],
    );
    expect(rows).toHaveLength(0);

    const reused = await edit({
      newEmployees: newEmployees.map((one) => ({ ...one, name: 'Eva' })),
      version: 3,
    });
    expect(await errorOf(reused)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    const twins = people('Dora', 'Elsa').map((one, _, [first]) => ({ ...one, key: first?.key }));
    const shared = await edit({ newEmployees: twins, version: 3 });
    expect(await errorOf(shared)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });

  test('accepts exactly one of four simultaneous edits of the same version', async ({ server }) => {
    const visitor = await customer(server);
    const project = await create(visitor);
    const param = { id: String(project.id) };
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((name) =>
        visitor.api.projects[':id'].$patch({ param, json: { ...unchanged(project), name } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test('keeps a status set in another tab, and a status change keeps the edit', async ({ server }) => {
    const { user: _, ...visitor } = await customer(server);
    const project = await create(visitor);
    const param = { id: String(project.id) };
    const { ':id': one } = visitor.api.projects;
    const edit = (change: ReturnType<typeof unchanged>) => one.$patch({ param, json: change });

    await one.status.$put({ param, json: { status: 'Completato' } });
    const edited = await edit({ ...unchanged(project), name: 'Linea 3' });
    expect([edited.status, await edited.json()]).toMatchObject([
      200,
      { name: 'Linea 3', status: 'Completato' },
    ]);
    const reopened = await one.status.$put({ param, json: { status: 'In corso' } });
    expect(await reopened.json()).toMatchObject({ name: 'Linea 3', status: 'In corso' });

    const stale = await edit({ ...unchanged(project), name: 'Linea 4' });
    expect(stale.status).toBe(409);
    expect(await (await one.$get({ param })).json()).toMatchObject({ name: 'Linea 3', status: 'In corso' });
  });

  test('marks its team as returned or away, whomever that changes, and keeps an edit', async ({ server }) => {
    const { user, ...visitor } = await customer(server);
    const project = await server.make.project(user);
    const other = await server.make.project(user);
    for (const status of ['in trasferta', 'in trasferta', 'disponibile', 'Rientrato'] as const) {
      const { id } = await server.make.employee(user, { name: status, status }, project);
      await server.make.assign(user, other, { id });
    }
    await server.make.employee(user, { status: 'in trasferta' }, other);
    const stranger = await customer(server);
    const param = { id: String(project.id) };
    const { ':id': one } = visitor.api.projects;
    const before = await (await one.$get({ param })).json();
    const counted = async () => {
      const { rows } = await server.make.sql<{ count: number }>(
        'select count(*)::int from employee_status_changes where user_id = $1',
        [user.id],
      );
      return rows[0]?.count;
    };
    const mark = async (status: 'in trasferta' | 'Rientrato') => {
      const response = await one.team.status.$put({ param, json: { status } });
      expect(response.status).toBe(200);
      return (await response.json()).team.map((person) => person.status);
    };
    expect(await counted()).toBe(5);
    expect(await mark('Rientrato')).toEqual(['disponibile', 'Rientrato', 'Rientrato', 'Rientrato']);
    expect(await counted()).toBe(7);
    expect(await mark('Rientrato')).toHaveLength(4);
    expect(await counted()).toBe(7);
    const elsewhere = await (await one.$get({ param: { id: String(other.id) } })).json();
    expect(elsewhere.team.filter(({ status }) => status === 'in trasferta')).toHaveLength(1);
    expect(await mark('in trasferta')).toEqual(Array(4).fill('in trasferta'));
    expect(await counted()).toBe(11);
    expect((await one.$patch({ param, json: unchanged(before) })).status).toBe(200);

    const refused = [
      await stranger.api.projects[':id'].team.status.$put({ param, json: { status: 'Rientrato' } }),
      await one.team.status.$put({ param: { id: '99999' }, json: { status: 'Rientrato' } }),
      await visitor.send('PUT', `/api/projects/${project.id}/team/status`, { status: 'disponibile' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 409, 422]);
    expect(await counted()).toBe(11);
  });

  test('completes, reopens and deletes it, and its invoices keep the project name', async ({ server }) => {
    const { user, ...visitor } = await customer(server);
    const project = await create(visitor);
    const invoice = await server.make.invoice(user, project);
    const param = { id: String(project.id) };
    const { ':id': one } = visitor.api.projects;
    const closed = await one.status.$put({ param, json: { status: 'Completato' } });
    expect(await closed.json()).toMatchObject({ status: 'Completato', version: 1, spentToDate: 1000 });
    const open = await one.status.$put({ param, json: { status: 'In corso' } });
    expect(await open.json()).toMatchObject({ status: 'In corso', version: 1 });

    expect((await one.$delete({ param })).status).toBe(204);
    expect((await one.$get({ param })).status).toBe(404);
    expect((await one.$delete({ param })).status).toBe(404);
    const { rows } = await server.make.sql('select project_id, project_name from invoices where id = $1', [
      invoice.id,
    ]);
    expect(rows).toEqual([{ project_id: null, project_name: project.name }]);
  });

  test.for(['renamed', 'deleted'] as const)(
    'is %s only once an invoice that is being changed no longer needs it',
    async (change, { server }) => {
      const { user, ...visitor } = await customer(server);
      const project = await create(visitor);
      const { id } = await server.make.invoice(user, project);
      const param = { id: String(project.id) };
      const { ':id': one } = visitor.api.projects;
      const editing = 'select from invoices where id = $1 for update';
      const status = await duringTransaction(server, [editing, [id]], 2, async () => {
        const changed =
          change === 'deleted'
            ? one.$delete({ param })
            : one.$patch({ param, json: { ...unchanged(project), name: 'Turbogas Brindisi Sud' } });
        await waitForLocks(server, 1);
        // The edit goes on to lock the project, whose total follows the invoice.
        await server.make.sql('select from projects where id = $1 for update nowait', [project.id]);
        await server.make.sql(editing, [id]);
        return (await changed).status;
      });
      expect(status).toBe(change === 'deleted' ? 204 : 200);
    },
  );

  test.for([
    ['99998', 'Completato'],
    ['99999', 'In corso'],
  ] as const)('is refused for sample %s, which can only be read', async ([id, status], { server }) => {
    const visitor = await customer(server);
    const param = { id };
    const { ':id': one } = visitor.api.projects;
    const sample = await one.$get({ param });
    expect(await sample.json()).toMatchObject({ sample: true, status });
    const writes = await Promise.all([
      one.$patch({ param, json: { ...input, version: 1 } }),
      one.status.$put({ param, json: { status: 'Completato' } }),
      one.$delete({ param }),
    ]);
    for (const write of writes) {
      expect(await errorOf(write)).toMatchObject({ status: 409, code: 'sample_record' });
    }
  });
});

describe('the list of projects', () => {
  test('shows two samples, marked as such, until the first project', async ({ server }) => {
    const visitor = await customer(server);
    const before = await (await visitor.api.projects.$get({ query: {} })).json();
    expect(before.items.map(({ id, status, sample }) => [id, status, sample])).toEqual([
      [99_999, 'In corso', true],
      [99_998, 'Completato', true],
    ]);
    const completed = await visitor.api.projects.$get({ query: { status: 'Completato' } });
    expect(await completed.json()).toMatchObject({ total: 1, items: [{ id: 99_998 }] });

    const project = await create(visitor);
    const after = await (await visitor.api.projects.$get({ query: {} })).json();
    expect(after).toEqual({ items: [project], nextCursor: null, total: 1 });
    const none = await (await visitor.api.projects.$get({ query: { search: 'nessuno così' } })).json();
    expect(none).toEqual({ items: [], nextCursor: null, total: 0 });
  });

  test('sorts and searches the samples like real projects', async ({ server }) => {
    const { api } = await customer(server);
    const { user, ...real } = await customer(server);
    for (const sample of sampleProjects().reverse()) {
      const { name, location, startDate, endDate, status } = sample;
      const project = await server.make.project(user, {
        ...{ name, location, startDate, endDate, status },
        projectedTotal: toNumeric(sample.projectedTotal),
        openingSpent: toNumeric(sample.spentToDate),
      });
      for (const { name } of sample.team) await server.make.employee(user, { name }, project);
    }
    const namesFor = async (visitor: typeof api, query: Record<string, string>) =>
      (await (await visitor.projects.$get({ query })).json()).items.map(({ name }) => name);
    for (const sort of PROJECT_SORTS)
      for (const direction of ['asc', 'desc'] as const)
        for (const search of ['', 'esempio', 'PRIOLO', 'conti', 'priolo  esempio', 'conti zzz']) {
          const query = { sort, direction, search };
          expect([query, await namesFor(api, query)]).toEqual([query, await namesFor(real.api, query)]);
        }
  });

  test('searches name, location and team, ignoring case and accents', async ({ server }) => {
    const { user, ...visitor } = await customer(server);
    await create(visitor, { name: 'Viadotto Forlì', location: 'Forlì' });
    const project = await create(visitor, { name: 'Cantiere 100%', location: 'Bari' });
    await server.make.employee(user, { name: "Niccolò D'Alò" }, project);
    const found = async (search: string) => {
      const page = await (await visitor.api.projects.$get({ query: { search } })).json();
      return page.items.map(({ name }) => name);
    };
    expect(await found('FORLI')).toEqual(['Viadotto Forlì']);
    expect(await found('bari')).toEqual(['Cantiere 100%']);
    expect(await found('100%')).toEqual(['Cantiere 100%']);
    expect(await found('niccolo')).toEqual(['Cantiere 100%']);
    expect(await found('D’ALÒ 100%  bari niccolò')).toEqual(['Cantiere 100%']);
    expect(await found('niccolo forli')).toEqual([]);
    expect(await found('_')).toEqual([]);
  });

  test("is read by the next end: projects 'In corso' first, however long ago others ended", async ({
    server,
  }) => {
    const { user, ...visitor } = await customer(server);
    const ending = (name: string, days: number, status: ProjectStatus) =>
      server.make.project(user, {
        name,
        startDate: addDays(today, -90),
        endDate: addDays(today, days),
        status,
      });
    await ending('lontano', 40, 'In corso');
    await ending('chiuso', -60, 'Completato');
    await ending('vicino', 3, 'In corso');
    const query = { sort: 'nextEnd', direction: 'asc' } as const;
    const { items } = await (await visitor.api.projects.$get({ query })).json();
    expect(items.map(({ name }) => name)).toEqual(['vicino', 'lontano', 'chiuso']);
  });

  test('has pages without gaps or repetitions in every order', async ({ server }) => {
    const { user, ...visitor } = await customer(server);
    for (let index = 0; index < 7; index += 1) {
      const project = await server.make.project(user, {
        name: `Sito ${index % 3}`,
        location: index % 2 === 0 ? 'Àncora' : 'ancora',
        projectedTotal: `${(index % 4) * 10}.50`,
        startDate: addDays(today, index % 3),
        status: index % 2 === 0 ? 'In corso' : 'Completato',
      });
      for (let count = 0; count < index % 3; count += 1) await server.make.employee(user, {}, project);
    }
    for (const sort of PROJECT_SORTS) {
      for (const direction of ['asc', 'desc'] as const) {
        const whole = await (await visitor.api.projects.$get({ query: { sort, direction } })).json();
        const joined: number[] = [];
        let cursor: string | null | undefined;
        do {
          const query = { sort, direction, limit: '2', ...(cursor && { cursor }) };
          const page = await (await visitor.api.projects.$get({ query })).json();
          expect(page.total).toBe(7);
          joined.push(...page.items.map(({ id }) => id));
          cursor = page.nextCursor;
        } while (cursor);
        expect(joined).toEqual(whole.items.map(({ id }) => id));
        expect(new Set(joined).size).toBe(7);
      }
    }
  });

  test('refuses cursors of another order, forged cursors and a limit of 0', async ({ server }) => {
    const { user, ...visitor } = await customer(server);
    await server.make.project(user);
    await server.make.project(user);
    const page = await (await visitor.api.projects.$get({ query: { limit: '1', sort: 'name' } })).json();
    const forged = Buffer.from(JSON.stringify(['startDate', 'desc', 'ieri', 1])).toString('base64url');
    const answers = await Promise.all([
      visitor.api.projects.$get({ query: { cursor: page.nextCursor ?? '' } }),
      visitor.api.projects.$get({ query: { cursor: 'spazzatura' } }),
      visitor.api.projects.$get({ query: { cursor: forged, sort: 'startDate' } }),
      visitor.api.projects.$get({ query: { limit: '0' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 422]);
  });
});

describe('project statistics and timeline', () => {
  test("count each person on projects 'In corso' once", async ({ server }) => {
    const { user, ...visitor } = await customer(server);
    const first = await server.make.project(user, { name: 'Alfa' });
    const second = await server.make.project(user, { name: 'Beta' });
    const done = await server.make.project(user, { name: 'Gamma', status: 'Completato' });
    const both = await server.make.employee(user, { status: 'in trasferta' }, first);
    await server.make.assign(user, second, both);
    await server.make.employee(user, { status: 'Rientrato' }, second);
    await server.make.employee(user, { status: 'in trasferta' }, done);
    await server.make.employee(user, { status: 'disponibile' });
    const stats = await (await visitor.api.projects.stats.$get()).json();
    const place = ({ location, startDate, endDate }: typeof first) => ({ location, startDate, endDate });
    expect(stats).toEqual({
      sample: false,
      activeProjects: 2,
      people: 2,
      travelling: 1,
      returned: 1,
      available: 0,
      unassigned: 2,
      distribution: [
        { projectId: second.id, name: 'Beta', ...place(second), people: 2 },
        { projectId: first.id, name: 'Alfa', ...place(first), people: 1 },
      ],
    });
  });

  test('show the samples, marked as such, to a customer without data', async ({ server }) => {
    const visitor = await customer(server);
    expect(await (await visitor.api.projects.stats.$get()).json()).toMatchObject({
      sample: true,
      activeProjects: 1,
      people: 3,
    });
    const query = { from: addDays(today, -10), to: addDays(today, 10) };
    const timeline = await (await visitor.api.projects.timeline.$get({ query })).json();
    expect(timeline.projects.map(({ id }) => id)).toEqual([99_999]);
    expect(timeline.sample).toBe(true);
    expect(timeline.people).toHaveLength(5);
  });

  test('show no samples once there is an employee or a project', async ({ server }) => {
    const query = { from: addDays(today, -10), to: addDays(today, 10) };
    const { user, ...visitor } = await customer(server);
    await server.make.employee(user, { name: 'Ada Neri', status: 'disponibile' });
    const none = { travelling: 0, returned: 0, available: 0, people: 0, sample: false };
    expect(await (await visitor.api.projects.stats.$get()).json()).toEqual({
      ...none,
      activeProjects: 0,
      unassigned: 1,
      distribution: [],
    });
    const timeline = await (await visitor.api.projects.timeline.$get({ query })).json();
    expect(timeline).toMatchObject({ sample: false, projects: [], people: [{ name: 'Ada Neri' }] });

    const alone = await customer(server);
    await server.make.project(alone.user);
    const stats = await (await alone.api.projects.stats.$get()).json();
    expect(stats).toMatchObject({ ...none, activeProjects: 1, unassigned: 0 });
    const empty = await (await alone.api.projects.timeline.$get({ query })).json();
    expect(empty).toMatchObject({ sample: false, people: [] });
    expect(empty.projects).toHaveLength(1);
  });

  test('list the projects that overlap the period, and every employee with theirs, and when they are free around it', async ({
    server,
  }) => {
    const { user, ...visitor } = await customer(server);
    const from = addDays(today, 10);
    const to = addDays(today, 20);
    const period = (start: number, end: number) => ({
      startDate: addDays(today, start),
      endDate: addDays(today, end),
    });
    const before = await server.make.project(user, { name: 'Prima', ...period(0, 9) });
    const longBefore = await server.make.project(user, { name: 'Molto prima', ...period(-9, -5) });
    const edge = await server.make.project(user, { name: 'Sul bordo', ...period(0, 10) });
    const inside = await server.make.project(user, { name: 'Dentro', ...period(12, 14) });
    const after = await server.make.project(user, { name: 'Dopo', ...period(21, 30) });
    const longAfter = await server.make.project(user, { name: 'Molto dopo', ...period(25, 26) });
    const busy = await server.make.employee(user, { name: 'Ada' }, inside);
    await server.make.assign(user, edge, busy);
    await server.make.employee(user, { name: 'Bea' });
    const between = await server.make.employee(user, { name: 'Cleo' }, before);
    for (const project of [longBefore, after, longAfter]) await server.make.assign(user, project, between);
    const timeline = await (await visitor.api.projects.timeline.$get({ query: { from, to } })).json();
    expect(timeline.projects.map(({ name, people }) => [name, people])).toEqual([
      ['Sul bordo', 1],
      ['Dentro', 1],
    ]);
    expect(timeline.people.map(({ name, projectIds }) => [name, projectIds])).toEqual([
      ['Ada', [edge.id, inside.id]],
      ['Bea', []],
      ['Cleo', []],
    ]);
    expect(timeline.people.map(({ lastEnd, nextStart }) => [lastEnd, nextStart])).toEqual([
      [null, null],
      [null, null],
      [before.endDate, after.startDate],
    ]);
    expect(timeline.people.map(({ away }) => away)).toEqual([[], [], []]);
    const tooLong = await visitor.api.projects.timeline.$get({ query: { from, to: addDays(from, 800) } });
    expect(await errorOf(tooLong)).toMatchObject({ status: 422, fields: { to: expect.any(String) } });
  });
});

describe('the days away in the timeline', () => {
  test('follow the status changes, in days of Rome, within the period and up to today', async ({
    server,
  }) => {
    const { user, ...visitor } = await customer(server);
    await server.make.project(user);
    const { id } = await server.make.employee(user, { name: 'Ada', status: 'in trasferta' });
    await server.make.sql('delete from employee_status_changes where employee_id = $1', [id]);
    const changed = (status: string, at: string) =>
      server.make.sql(
        'insert into employee_status_changes (employee_id, user_id, status, at) values ($1, $2, $3, $4)',
        [id, user.id, status, at],
      );
    const [first, last] = [addDays(today, -60), addDays(today, -1)];
    await changed('in trasferta', `${addDays(today, -90)}T08:00:00Z`);
    // Past midnight in Rome, where it is already the next day.
    await changed('Rientrato', `${addDays(today, -51)}T23:30:00Z`);
    // Set twice, and away again on the day of a return: one continuous period.
    for (const day of [-5, -4]) await changed('in trasferta', `${addDays(today, day)}T08:00:00Z`);
    await changed('Rientrato', `${addDays(today, -3)}T08:00:00Z`);
    await changed('in trasferta', `${addDays(today, -3)}T16:00:00Z`);
    const awayIn = async (from: CalendarDate, to: CalendarDate) => {
      const timeline = await (await visitor.api.projects.timeline.$get({ query: { from, to } })).json();
      return timeline.people.map(({ away }) => away);
    };
    expect(await awayIn(first, last)).toEqual([
      [
        { startDate: first, endDate: addDays(today, -50) },
        { startDate: addDays(today, -5), endDate: last },
      ],
    ]);
    expect(await awayIn(addDays(today, -40), addDays(today, 40))).toEqual([
      [{ startDate: addDays(today, -5), endDate: today }],
    ]);
    // Recorded before the database's clock was set back.
    await changed('Rientrato', `${addDays(today, 1)}T08:00:00Z`);
    await changed('in trasferta', `${addDays(today, 3)}T08:00:00Z`);
    expect(await awayIn(today, addDays(today, 40))).toEqual([
      [
        { startDate: today, endDate: addDays(today, 1) },
        { startDate: addDays(today, 3), endDate: addDays(today, 3) },
      ],
    ]);
  });
});

describe('the team size', () => {
  test('is the number of people assigned, after any additions, removals and deletions', async ({
    server,
  }) => {
    const { user, ...visitor } = await customer(server);
    const step = fc.record({ action: fc.constantFrom('new', 'add', 'remove', 'delete'), pick: fc.nat(50) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        let project = await create(visitor);
        const param = { id: String(project.id) };
        const team = new Set<number>();
        const everybody: number[] = [];
        for (const { action, pick } of steps) {
          const someone = everybody[pick % Math.max(everybody.length, 1)];
          const change = unchanged(project);
          if (action === 'new') {
            change.newEmployees = [{ name: 'Nuovo', surname: `N${pick}`, role: 'Tecnico' }];
          } else if (someone === undefined) {
            continue;
          } else if (action === 'delete') {
            await visitor.api.employees[':id'].$delete({ param: { id: String(someone) } });
            everybody.splice(everybody.indexOf(someone), 1);
            team.delete(someone);
          } else {
            if (action === 'add') team.add(someone);
            else team.delete(someone);
            change.employeeIds = [...team];
          }
          if (action === 'delete') {
            project = await (await visitor.api.projects[':id'].$get({ param })).json();
          } else {
            const answer = await visitor.api.projects[':id'].$patch({ param, json: change });
            if (answer.status !== 200) throw new Error(`the change was answered ${answer.status}`);
            project = await answer.json();
          }
          for (const { id } of project.team) {
            if (!everybody.includes(id)) everybody.push(id);
            team.add(id);
          }
          expect(project.teamSize).toBe(team.size);
          expect(project.team.map(({ id }) => id).sort()).toEqual([...team].sort());
        }
      }),
      { numRuns: 15 },
    );
  });
});
