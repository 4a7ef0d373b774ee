import { employeeStatusSchema } from '#contract/employees.ts';
import { conflictSchema } from '#contract/errors.ts';
import {
  projectChangeSchema,
  projectListQuerySchema,
  projectListSchema,
  projectSchema,
  projectStatusSchema,
  sentProjectSchema,
  teamStatsSchema,
  timelineQuerySchema,
  timelineSchema,
} from '#contract/projects.ts';
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
import {
  changeProject,
  changeProjectStatus,
  changeTeamStatus,
  createProject,
  deleteProject,
} from './commands.ts';
import { findProject, findTeamStats, findTimeline, listProjects } from './queries.ts';

export const projectRoutes = createRouter()
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/projects',
      tags: ['projects'],
      summary: 'Own projects with their teams; examples while there are none',
      request: { query: projectListQuerySchema },
      responses: { 200: jsonAnswer(projectListSchema, 'A page of projects') },
    }),
    async (c) => {
      const page = await listProjects(reading(c), actorOf(c).userId, c.req.valid('query'));
      return c.json(projectListSchema.parse(page), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'post',
      path: '/projects',
      tags: ['projects'],
      summary: 'Create a project with existing and new employees',
      request: { headers: idempotencyHeader, body: jsonBody(sentProjectSchema) },
      responses: { 201: jsonAnswer(projectSchema, 'The project') },
      failures: ['project_owner_mismatch', 'sample_record', 'unknown_employee'],
    }),
    async (c) => {
      // The digest uses the dates as sent: defaults for omitted dates would differ tomorrow.
      const { startDate, endDate } = await c.req.json();
      const attempt = requestAttempt(c.req.valid('header'), { ...c.req.valid('json'), startDate, endDate });
      const { userId } = actorOf(c);
      const project = await writing(c, async (tx) => {
        const id = await createProject(tx, userId, c.req.valid('json'), attempt);
        return findProject(tx, userId, id);
      });
      return c.json(projectSchema.parse(project), 201);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/projects/stats',
      tags: ['projects'],
      summary: "Where the people of projects 'In corso' are",
      responses: { 200: jsonAnswer(teamStatsSchema, 'The statistics') },
    }),
    async (c) => c.json(teamStatsSchema.parse(await findTeamStats(reading(c), actorOf(c).userId)), 200),
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/projects/timeline',
      tags: ['projects'],
      summary: 'Who is where between two days',
      request: { query: timelineQuerySchema },
      responses: { 200: jsonAnswer(timelineSchema, 'Projects and people') },
    }),
    async (c) => {
      const timeline = await findTimeline(reading(c), actorOf(c).userId, c.req.valid('query'));
      return c.json(timelineSchema.parse(timeline), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/projects/{id}',
      tags: ['projects'],
      summary: 'One project with its team',
      request: { params: idParams },
      responses: { 200: jsonAnswer(projectSchema, 'The project') },
      failures: ['not_found'],
    }),
    async (c) => {
      const project = await findProject(reading(c), actorOf(c).userId, c.req.valid('param').id);
      if (!project) throw new AppError('not_found');
      return c.json(projectSchema.parse(project), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'patch',
      path: '/projects/{id}',
      tags: ['projects'],
      summary: 'Change a project and its team, from the version the change started from',
      request: { params: idParams, body: jsonBody(projectChangeSchema) },
      responses: {
        200: jsonAnswer(projectSchema, 'The project'),
        409: jsonAnswer(conflictSchema(projectSchema), 'It has changed meanwhile: nothing is written'),
      },
      failures: ['sample_record', 'not_found', 'unknown_employee', 'idempotency_key_reused'],
    }),
    async (c) => {
      const { userId } = actorOf(c);
      const { id } = c.req.valid('param');
      const { changed, project } = await writing(c, async (tx) => ({
        changed: await changeProject(tx, userId, id, c.req.valid('json')),
        project: projectSchema.parse(await findProject(tx, userId, id)),
      }));
      return changed ? c.json(project, 200) : c.json(conflictWith(c, project), 409);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'put',
      path: '/projects/{id}/status',
      tags: ['projects'],
      summary: 'Close or reopen a project',
      request: { params: idParams, body: jsonBody(projectStatusSchema) },
      responses: { 200: jsonAnswer(projectSchema, 'The project') },
      failures: ['sample_record', 'not_found'],
    }),
    async (c) => {
      const { userId } = actorOf(c);
      const { id } = c.req.valid('param');
      const project = await writing(c, async (tx) => {
        await changeProjectStatus(tx, userId, id, c.req.valid('json').status);
        return findProject(tx, userId, id);
      });
      return c.json(projectSchema.parse(project), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'put',
      path: '/projects/{id}/team/status',
      tags: ['projects'],
      summary: "Mark a team as 'in trasferta', or those who are as 'Rientrato'",
      request: { params: idParams, body: jsonBody(employeeStatusSchema) },
      responses: { 200: jsonAnswer(projectSchema, 'The project') },
      failures: ['sample_record', 'not_found'],
    }),
    async (c) => {
      const { userId } = actorOf(c);
      const { id } = c.req.valid('param');
      const project = await writing(c, async (tx) => {
        await changeTeamStatus(tx, userId, id, c.req.valid('json').status);
        return findProject(tx, userId, id);
      });
      return c.json(projectSchema.parse(project), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'delete',
      path: '/projects/{id}',
      tags: ['projects'],
      summary: 'Delete a project; its invoices stay',
      request: { params: idParams },
      responses: { 204: { description: 'The project is gone' } },
      failures: ['sample_record', 'not_found'],
    }),
    async (c) => {
      await writing(c, (tx) => deleteProject(tx, actorOf(c).userId, c.req.valid('param').id));
      return c.body(null, 204);
    },
  );
