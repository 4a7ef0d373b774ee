import { dashboardSchema, withSamples } from '#contract/dashboard.ts';
import { todayInRome } from '#contract/dates.ts';
import { actorOf, reading } from '#server/http/env.ts';
import { createRouter, defineRoute, jsonAnswer } from '#server/http/router.ts';
import { findDashboard } from './queries.ts';

export const dashboardRoutes = createRouter().openapi(
  defineRoute('user', {
    method: 'get',
    path: '/dashboard',
    tags: ['dashboard'],
    summary:
      'Everything Home shows: figures, who is away, what comes next, what is due; to administrators also what is to be managed',
    responses: { 200: jsonAnswer(dashboardSchema, 'As of today in Europe/Rome') },
  }),
  async (c) => {
    const { userId, kind } = actorOf(c);
    const dashboard = await findDashboard(reading(c), userId, todayInRome(), kind === 'admin');
    return c.json(dashboardSchema.parse(withSamples(dashboard)), 200);
  },
);
