import type { Context } from 'hono';
import {
  managedTripRequestDetailSchema,
  managedTripRequestListSchema,
  managedTripRequestQuerySchema,
  ownTripRequestQuerySchema,
  stateChangeSchema,
  tripRequestDetailSchema,
  tripRequestListSchema,
  tripRequestSchema,
  withdrawalSchema,
} from '#contract/trip-requests.ts';
import { isCreated } from '#server/db/idempotency.ts';
import { tripRequests } from '#server/db/schema.ts';
import { AppError, fieldError } from '#server/errors.ts';
import { findMe } from '#server/features/accounts/queries.ts';
import { type AppEnv, actorOf, reading, writing } from '#server/http/env.ts';
import { callerLine, limitRate } from '#server/http/rate-limit.ts';
import {
  createRouter,
  defineRoute,
  idempotencyHeader,
  idParams,
  jsonAnswer,
  jsonBody,
  requestAttempt,
} from '#server/http/router.ts';
import { changeTripRequestState, createTripRequest, withdrawTripRequest } from './commands.ts';
import {
  findManagedTripRequest,
  findTripRequest,
  listManagedTripRequests,
  listTripRequests,
} from './queries.ts';

const HOUR_SECONDS = 3600;
/** Far above ordinary use; each request sends mail to five people. */
const REQUESTS_PER_HOUR = 30;
/**
 * To one address, over all accounts. Equal to the limit of one account, so that somebody who arranges trips all day can
 * name the same contact in every request, while several accounts cannot mail a stranger more than one account could.
 */
const COPIES_PER_HOUR = REQUESTS_PER_HOUR;
const QUARTER_HOUR_SECONDS = 900;
/** From one address, which may be a whole office, over all accounts: anybody can register many. */
const COPIES_PER_CALLER = 100;

/**
 * Limits how many unsolicited copies one address can receive, and one caller can have sent. The sender's own proven
 * address is exempt, and so is a repeated request, which sends no copy.
 * @throws AppError trip_request_copies, too_many_requests, idempotency_key_reused
 */
async function limitCopies(
  c: Context<AppEnv>,
  email: string,
  isRepeated: () => Promise<boolean>,
): Promise<void> {
  const me = await findMe(reading(c), actorOf(c));
  if (me?.emailVerified && me.email === email) return;
  if (await isRepeated()) return;
  // First, so that what is refused to one caller does not count against the others who name the same contact.
  await limitRate(c, {
    key: `trip-request-copy:from:${callerLine(c)}`,
    points: COPIES_PER_CALLER,
    seconds: QUARTER_HOUR_SECONDS,
  });
  await limitRate(c, {
    key: `trip-request-copy:${email}`,
    points: COPIES_PER_HOUR,
    seconds: HOUR_SECONDS,
    refusal: () => fieldError('trip_request_copies', 'email'),
  });
}

export const tripRequestRoutes = createRouter()
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/trip-requests',
      tags: ['trip-requests'],
      summary: 'Your trip requests, newest first',
      request: { query: ownTripRequestQuerySchema },
      responses: { 200: jsonAnswer(tripRequestListSchema, 'A page of requests') },
    }),
    async (c) => {
      const page = await listTripRequests(reading(c), actorOf(c).userId, c.req.valid('query'));
      return c.json(tripRequestListSchema.parse(page), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'post',
      path: '/trip-requests',
      tags: ['trip-requests'],
      summary: 'Send a trip request; it is stored, and mailed to the provider and to you',
      request: { headers: idempotencyHeader, body: jsonBody(tripRequestSchema) },
      responses: { 201: jsonAnswer(tripRequestDetailSchema, 'The request as stored') },
      failures: ['too_many_requests', 'trip_request_copies'],
    }),
    async (c) => {
      const { userId } = actorOf(c);
      const request = c.req.valid('json');
      const attempt = requestAttempt(c.req.valid('header'), request);
      const isRepeated = () => isCreated(reading(c), tripRequests, userId, attempt);
      await limitRate(c, {
        key: `trip-request:${userId}`,
        points: REQUESTS_PER_HOUR,
        seconds: HOUR_SECONDS,
        isRepeated,
      });
      await limitCopies(c, request.email, isRepeated);
      const created = await writing(c, async (tx) => {
        const id = await createTripRequest(c.get('services'), tx, userId, request, attempt);
        return findTripRequest(tx, userId, id);
      });
      return c.json(tripRequestDetailSchema.parse(created), 201);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'get',
      path: '/trip-requests/{id}',
      tags: ['trip-requests'],
      summary: 'One of your trip requests, with what became of it',
      request: { params: idParams },
      responses: { 200: jsonAnswer(tripRequestDetailSchema, 'The request') },
      failures: ['not_found'],
    }),
    async (c) => {
      const request = await findTripRequest(reading(c), actorOf(c).userId, c.req.valid('param').id);
      if (!request) throw new AppError('not_found');
      return c.json(tripRequestDetailSchema.parse(request), 200);
    },
  )
  .openapi(
    defineRoute('user', {
      method: 'post',
      path: '/trip-requests/{id}/withdrawal',
      tags: ['trip-requests'],
      summary: 'Withdraw one of your trip requests',
      request: { params: idParams, body: jsonBody(withdrawalSchema) },
      responses: { 200: jsonAnswer(tripRequestDetailSchema, 'The request, now Annullata') },
      failures: ['not_found', 'trip_request_withdrawn', 'trip_request_not_withdrawable'],
    }),
    async (c) => {
      const { userId } = actorOf(c);
      const { id } = c.req.valid('param');
      const { note } = c.req.valid('json');
      const withdrawn = await writing(c, async (tx) => {
        await withdrawTripRequest(c.get('services'), tx, userId, id, note);
        return findTripRequest(tx, userId, id);
      });
      return c.json(tripRequestDetailSchema.parse(withdrawn), 200);
    },
  )
  .openapi(
    defineRoute('admin', {
      method: 'get',
      path: '/admin/trip-requests',
      tags: ['trip-requests'],
      summary: "Every customer's trip requests, newest first",
      request: { query: managedTripRequestQuerySchema },
      responses: { 200: jsonAnswer(managedTripRequestListSchema, 'A page of requests') },
    }),
    async (c) => {
      const page = await listManagedTripRequests(reading(c), c.req.valid('query'));
      return c.json(managedTripRequestListSchema.parse(page), 200);
    },
  )
  .openapi(
    defineRoute('admin', {
      method: 'get',
      path: '/admin/trip-requests/{id}',
      tags: ['trip-requests'],
      summary: 'One trip request with its customer',
      request: { params: idParams },
      responses: { 200: jsonAnswer(managedTripRequestDetailSchema, 'The request') },
      failures: ['not_found'],
    }),
    async (c) => {
      const request = await findManagedTripRequest(reading(c), c.req.valid('param').id);
      if (!request) throw new AppError('not_found');
      return c.json(managedTripRequestDetailSchema.parse(request), 200);
    },
  )
  .openapi(
    defineRoute('admin', {
      method: 'post',
      path: '/admin/trip-requests/{id}/state-changes',
      tags: ['trip-requests'],
      summary: 'Set the state of a trip request, with a note that its customer sees and is mailed',
      request: { params: idParams, headers: idempotencyHeader, body: jsonBody(stateChangeSchema) },
      responses: { 200: jsonAnswer(managedTripRequestDetailSchema, 'The request in its new state') },
      failures: ['not_found', 'conflict', 'trip_request_unchanged'],
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const change = c.req.valid('json');
      // `from` is left out of the digest: before repeating the request, the client may have loaded the state it
      // produced.
      const { state, note } = change;
      const attempt = requestAttempt(c.req.valid('header'), { state, note });
      const changed = await writing(c, async (tx) => {
        await changeTripRequestState(c.get('services'), tx, actorOf(c).userId, id, change, attempt);
        return findManagedTripRequest(tx, id);
      });
      return c.json(managedTripRequestDetailSchema.parse(changed), 200);
    },
  );
