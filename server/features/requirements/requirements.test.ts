import { eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { addDays, period, todayInRome } from '#contract/dates.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import {
  additionProblem,
  REQUIREMENTS_LIMITS,
  type Requirements,
  requirementsSchema,
} from '#contract/requirements.ts';
import { requirements } from '#server/db/schema.ts';
import { readAs, SYSTEM } from '#server/db/scope.ts';
import { test } from '#server/testing/test.ts';

const start = addDays(todayInRome(), 40);

const sound: Requirements = {
  destination: 'Rotterdam',
  purpose: 'site-visit',
  startDate: start,
  endDate: addDays(start, 9),
  travelers: 4,
  budgetPerNight: 1200,
  accommodation: 'extended',
  roomType: 'twin',
  beds: '3+',
  amenities: ['wifi', 'aircon'],
  location: 'office',
  maxDistanceKm: 1000,
  accessibility: [],
  dietary: ['halal'],
  additional: ['Late check-in', 'Drying room'],
  notes: 'Night shifts.',
};

describe('travel requirements', () => {
  test('are stored as entered and mailed once, even when sent twice', async ({ server }) => {
    const user = await server.make.user({ companyName: 'Nord Sea Works' });
    const { api } = await server.as(user);
    const header = { 'idempotency-key': '7a0f3f4e-5b0c-4b39-9a39-b5f6f2f9a002' };
    for (const _ of [1, 2]) expect((await api.requirements.$post({ header, json: sound })).status).toBe(201);
    const rows = await readAs(server.services.pool, SYSTEM)
      .select({ content: requirements.content })
      .from(requirements)
      .where(eq(requirements.userId, user.id));
    expect(rows).toEqual([{ content: sound }]);
    const messages = await server.make.sql(
      "select user_id as owner, recipients from mail_messages where subject = 'Travel Requirements - Rotterdam'",
    );
    expect(messages.rows).toEqual([{ owner: user.id, recipients: server.services.env.requestsTo }]);
    const mail = await server.mailbox.received('Travel Requirements - Rotterdam');
    expect(mail.replyTo?.map(({ address }) => address)).toEqual([user.email]);
    expect(mail.text).toContain(
      `TRIP DETAILS
- Destination: Rotterdam
- Purpose: Site visit
- Dates: ${period(sound.startDate, sound.endDate)}
- Travelers: 4
- Budget per night: $1,200

ACCOMMODATION
- Type: Extended stay
- Room: Twin, 3+ beds
- Amenities: Wi-Fi, Air conditioning
- Location: Near the office, within 1,000 km

SPECIAL NEEDS
- Dietary: Halal
- Additional requirements: Late check-in
  Drying room
- Notes: Night shifts.

CONTACT
- Customer: ${user.fullName}
- Company: Nord Sea Works
- Email: ${user.email}
`,
    );
    // The wizard is in English, and so is its mail: screen readers and translators go by this.
    expect(mail.html).toContain('<html lang="en">');
  });

  test('sent before midnight for the same day are the same when sent again after it', async ({ server }) => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-03-02T22:59:00Z') });
    const { api } = await server.as(await server.make.user());
    const header = { 'idempotency-key': '7a0f3f4e-5b0c-4b39-9a39-b5f6f2f9a003' };
    const [startDate, endDate] = [todayInRome(), todayInRome()];
    const json = { ...sound, startDate, endDate, destination: 'Anversa' };
    expect((await api.requirements.$post({ header, json })).status).toBe(201);
    vi.setSystemTime(new Date('2027-03-02T23:01:00Z'));
    expect((await api.requirements.$post({ header, json })).status).toBe(201);
    expect((await api.requirements.$post({ header: {}, json })).status).toBe(422);
    const rows = await readAs(server.services.pool, SYSTEM).select().from(requirements);
    expect(rows.filter(({ content }) => content.destination === 'Anversa')).toHaveLength(1);
  });

  test('are stored without invisible characters and lone surrogates', async ({ server }) => {
    const { api } = await server.as(await server.make.user());
    const json = { ...sound, destination: 'Ant\u200bwerp', notes: 'Two\nlines\ud800' };
    expect((await api.requirements.$post({ header: {}, json })).status).toBe(201);
    const mail = await server.mailbox.received('Travel Requirements - Antwerp');
    expect(mail.text).toContain('- Notes: Two\n  lines\n');
  });

  test('accept no additional entry in a list of 30', () => {
    const list = Array.from({ length: REQUIREMENTS_LIMITS.additional }, (_, index) => `Desk ${index}`);
    expect(additionProblem(list, 'Chair')).toBe('At most 30 requirements');
    expect(additionProblem(list.slice(1), 'Chair')).toBeNull();
  });

  test('report exceeded limits in English', () => {
    const issues = requirementsSchema.safeParse({ ...sound, notes: 'x'.repeat(4001) }).error?.issues;
    expect(issues?.map(({ message }) => message)).toEqual(['At most 4,000 characters']);
  });

  test.for([
    ['destination', ' ', 'Enter a destination'],
    ['destination', '\u200b', 'Enter a destination'],
    ['purpose', 'holiday', 'Choose one of the options'],
    ['startDate', addDays(todayInRome(), -1), 'The start date has already passed'],
    ['endDate', addDays(start, -1), 'The end date cannot precede the start date'],
    ['travelers', 0, 'At least one traveler'],
    ['amenities', ['wifi', 'wifi'], 'Choose each option once'],
    ['dietary', undefined, 'Choose among the options'],
    ['additional', 'a cot', 'Enter a list of requirements'],
    ['additional', ['Desk', ' desk '], 'This requirement is already in the list'],
    ['additional', ['Café', 'CAFÉ'.normalize('NFD')], 'This requirement is already in the list'],
  ] as const)('are refused when %s is %j', async ([field, value, message], { server }) => {
    const { api } = await server.as(await server.make.user());
    const json = { ...sound, [field]: value };
    const response = await api.requirements.$post({ header: {}, json });
    expect(response.status).toBe(422);
    const { error } = errorBodySchema.parse(await response.json());
    expect(error.fields).toEqual({ [field]: message });
  });
});
