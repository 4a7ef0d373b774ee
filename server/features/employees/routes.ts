import { todayInRome } from '#contract/dates.ts';
import {
  assignmentPeriodListSchema,
  crewImportResultSchema,
  crewImportSchema,
  crewMatchQuerySchema,
  crewMatchSchema,
  employeeChangeSchema,
  employeeExportSchema,
  employeeHistoryQuerySchema,
  employeeInputSchema,
  employeeListQuerySchema,
  employeeListSchema,
  employeeSchema,
  employeeStatusSchema,
  statusChangeListSchema,
} from '#contract/employees.ts';
import { conflictSchema } from '#contract/errors.ts';
import { AppError } from '#server/errors.ts';
import { actorOf, reading, writing } from '#server/http/env.ts';
import { conflictWith } from '#server/http/error-answers.ts';
import {
  createRouter,
  defineRoute,
  idempotencyHeader,
  idParams,
  jsonAnswer,
  jsonBody,
  requestAttempt,
} from '#server/http/router.ts';
import { answerSpreadsheet } from '#server/http/spreadsheet.ts';
import { addEmployee, changeEmployee, changeEmployeeStatus, deleteEmployee, importCrew } from './commands.ts';
import {
  employeeSheet,
  exportEmployees,
  findCrewMatches,
  findEmployee,
  listAssignmentPeriods,
  listEmployees,
  listStatusChanges,
} from './queries.ts';

export const employeeRoutes = createRouter()
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/employees',
      tags: ['employees'],
      summary: 'Own employees with their assignments; examples while there are none',
      request: { query: employeeListQuerySchema },
      responses: { 200: jsonAnswer(employeeListSchema, 'A page of employees') },
    }),
    async (c) => {
      const page = await listEmployees(reading(c), actorOf(c).userId, c.req.valid('query'));
      return c.json(employeeListSchema.parse(page), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/employees/export',
      tags: ['employees'],
      summary: 'The filtered list as a file for a spreadsheet program, without examples',
      request: { query: employeeExportSchema },
      responses: { 200: { description: 'CSV with semicolons, or XLSX' } },
      failures: ['employee_export_too_large', 'too_many_requests'],
    }),
    (c) => {
      const { format, ...filters } = c.req.valid('query');
      const today = todayInRome();
      const sheet = { name: 'Team', day: today, columns: employeeSheet };
      return answerSpreadsheet(c, format, sheet, () =>
        exportEmployees(reading(c), actorOf(c).userId, filters, today),
      );
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'post',
      path: '/employees',
      tags: ['employees'],
      summary: 'Add an employee outside a project',
      request: { headers: idempotencyHeader, body: jsonBody(employeeInputSchema) },
      responses: { 201: jsonAnswer(employeeSchema, 'The employee') },
    }),
    async (c) => {
      const { userId } = actorOf(c);
      const employee = await writing(c, async (tx) => {
        const id = await addEmployee(
          tx,
          userId,
          c.req.valid('json'),
          requestAttempt(c.req.valid('header'), c.req.valid('json')),
        );
        return findEmployee(tx, userId, id);
      });
      return c.json(employeeSchema.parse(employee), 201);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'post',
      path: '/employees/imports',
      tags: ['employees'],
      summary: 'Add a whole crew list, all or nothing',
      request: { headers: idempotencyHeader, body: jsonBody(crewImportSchema) },
      responses: {
        201: jsonAnswer(crewImportResultSchema, 'How many were added, and how many joined the project'),
      },
      failures: ['not_found', 'sample_record', 'unknown_employee'],
    }),
    async (c) => {
      const attempt = requestAttempt(c.req.valid('header'), c.req.valid('json'));
      const result = await writing(c, (tx) =>
        importCrew(tx, actorOf(c).userId, c.req.valid('json'), attempt),
      );
      return c.json(crewImportResultSchema.parse(result), 201);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'post',
      path: '/employees/imports/matches',
      tags: ['employees'],
      summary: 'Which names of a crew list are employees already; nothing is changed',
      request: { body: jsonBody(crewMatchQuerySchema) },
      responses: { 200: jsonAnswer(crewMatchSchema, 'The names that are known, and whose they are') },
    }),
    async (c) => {
      const matches = await findCrewMatches(reading(c), actorOf(c).userId, c.req.valid('json').names);
      return c.json(crewMatchSchema.parse({ matches }), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/employees/{id}',
      tags: ['employees'],
      summary: 'One employee with its assignments',
      request: { params: idParams },
      responses: { 200: jsonAnswer(employeeSchema, 'The employee') },
      failures: ['not_found'],
    }),
    async (c) => {
      const employee = await findEmployee(reading(c), actorOf(c).userId, c.req.valid('param').id);
      if (!employee) throw new AppError('not_found');
      return c.json(employeeSchema.parse(employee), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/employees/{id}/assignments',
      tags: ['employees'],
      summary: 'The projects an employee has been on, the latest assignment first',
      request: { params: idParams, query: employeeHistoryQuerySchema },
      responses: { 200: jsonAnswer(assignmentPeriodListSchema, 'A page of assignments') },
      failures: ['not_found'],
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const page = await listAssignmentPeriods(reading(c), actorOf(c).userId, id, c.req.valid('query'));
      if (!page) throw new AppError('not_found');
      return c.json(assignmentPeriodListSchema.parse(page), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/employees/{id}/status-changes',
      tags: ['employees'],
      summary: 'The statuses an employee has had, the latest first',
      request: { params: idParams, query: employeeHistoryQuerySchema },
      responses: { 200: jsonAnswer(statusChangeListSchema, 'A page of statuses') },
      failures: ['not_found'],
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const page = await listStatusChanges(reading(c), actorOf(c).userId, id, c.req.valid('query'));
      if (!page) throw new AppError('not_found');
      return c.json(statusChangeListSchema.parse(page), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'patch',
      path: '/employees/{id}',
      tags: ['employees'],
      summary: 'Change an employee, from the version the change started from',
      request: { params: idParams, body: jsonBody(employeeChangeSchema) },
      responses: {
        200: jsonAnswer(employeeSchema, 'The employee'),
        409: jsonAnswer(conflictSchema(employeeSchema), 'It has changed meanwhile: nothing is written'),
      },
      failures: ['sample_record', 'not_found'],
    }),
    async (c) => {
      const { userId } = actorOf(c);
      const { id } = c.req.valid('param');
      const { changed, employee } = await writing(c, async (tx) => ({
        changed: await changeEmployee(tx, userId, id, c.req.valid('json')),
        employee: employeeSchema.parse(await findEmployee(tx, userId, id)),
      }));
      return changed ? c.json(employee, 200) : c.json(conflictWith(c, employee), 409);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'put',
      path: '/employees/{id}/status',
      tags: ['employees'],
      summary: "Switch an employee between 'in trasferta' and 'Rientrato'",
      request: { params: idParams, body: jsonBody(employeeStatusSchema) },
      responses: { 200: jsonAnswer(employeeSchema, 'The employee') },
      failures: ['sample_record', 'not_found'],
    }),
    async (c) => {
      const { userId } = actorOf(c);
      const { id } = c.req.valid('param');
      const employee = await writing(c, async (tx) => {
        await changeEmployeeStatus(tx, userId, id, c.req.valid('json').status);
        return findEmployee(tx, userId, id);
      });
      return c.json(employeeSchema.parse(employee), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'delete',
      path: '/employees/{id}',
      tags: ['employees'],
      summary: 'Delete an employee and its assignments',
      request: { params: idParams },
      responses: { 204: { description: 'The employee is gone' } },
      failures: ['sample_record', 'not_found'],
    }),
    async (c) => {
      await writing(c, (tx) => deleteEmployee(tx, actorOf(c).userId, c.req.valid('param').id));
      return c.body(null, 204);
    },
  );
