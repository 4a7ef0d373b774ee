import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { addDays, todayInRome } from '#contract/dates.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import { REQUIREMENTS_TEXTS, type Requirements } from '#contract/requirements.ts';
import { testWith } from '#server/testing/test.ts';

const test = testWith({ RATE_LIMITS: 'on' });

const json: Requirements = {
  destination: 'Rotterdam',
  purpose: 'training',
  startDate: addDays(todayInRome(), 40),
  endDate: addDays(todayInRome(), 49),
  travelers: 4,
  budgetPerNight: 1200,
  accommodation: 'hotel',
  roomType: 'twin',
  beds: '2',
  amenities: [],
  location: 'quiet',
  maxDistanceKm: 5,
  accessibility: [],
  dietary: [],
  additional: [],
  notes: '',
};

test('too many requirements in an hour are refused in English, with the time to wait, but not one that was stored', async ({
  server,
}) => {
  const { api } = await server.as(await server.make.user());
  const send = (key = randomUUID()) => api.requirements.$post({ header: { 'idempotency-key': key }, json });
  const first = randomUUID();
  expect((await send(first)).status).toBe(201);
  // One after the other: a busy machine answers so many at once with 503.
  for (let sent = 0; sent < 29; sent += 1) expect((await send()).status).toBe(201);
  const refused = await send();
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers.get('Retry-After'));
  expect(seconds).toBeGreaterThan(3000);
  expect(errorBodySchema.parse(await refused.json()).error.message).toBe(REQUIREMENTS_TEXTS.tooMany(seconds));
  expect((await send(first)).status).toBe(201);
});

test.for([
  [1, 'in a minute.'],
  [61, 'in 2 minutes.'],
  [3541, 'in an hour.'],
] as const)('a wait of %i seconds is said as "%s"', ([seconds, words]) => {
  expect(REQUIREMENTS_TEXTS.tooMany(seconds).endsWith(` try again ${words}`)).toBe(true);
});
