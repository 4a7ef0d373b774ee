import { todayInRome } from '#contract/dates.ts';
import { searchQuerySchema, searchResultSchema } from '#contract/search.ts';
import { actorOf, reading } from '#server/http/env.ts';
import { createRouter, defineRoute, jsonAnswer } from '#server/http/router.ts';
import { search } from './queries.ts';

export const searchRoutes = createRouter().openapi(
  defineRoute('user', {
    method: 'get',
    path: '/search',
    tags: ['search'],
    summary: 'Find your projects, people, invoices and trip requests by name, place or number',
    request: { query: searchQuerySchema },
    responses: { 200: jsonAnswer(searchResultSchema, 'The first hits of each kind') },
  }),
  async (c) => {
    const hits = await search(reading(c), actorOf(c).userId, c.req.valid('query').q, todayInRome());
    return c.json(searchResultSchema.parse({ hits }), 200);
  },
);
