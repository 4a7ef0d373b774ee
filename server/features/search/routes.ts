import { todayInRome } from '#contract/dates.ts';
import { searchQuerySchema, searchResultSchema } from '#contract/search.ts';
import { actorOf, reading } from '#server/http/env.ts';
import { createRouter, defineRoute, jsonAnswer } from '#server/http/router.ts';
import { search } from './queries.ts';

export const searchRoutes = createRouter().openapi(
  defineRoute('session', {
    method: 'get',
    path: '/search',
    tags: ['search'],
    summary: 'Find what you may see by name, place or number: your own records, those of customers, accounts',
    request: { query: searchQuerySchema },
    responses: { 200: jsonAnswer(searchResultSchema, 'The first hits of each kind') },
  }),
  async (c) => {
    const { q } = c.req.valid('query');
    const hits = await search(reading(c), actorOf(c), c.get('services').env, q, todayInRome());
    return c.json(searchResultSchema.parse({ hits }), 200);
  },
);
