import { count, eq } from 'drizzle-orm';
import { describe, expect } from 'vitest';
import type { UserId } from '#server/auth/actor.ts';
import { offerSolutions, offers } from '#server/db/schema.ts';
import { readAs, type Scope, SYSTEM, transaction } from '#server/db/scope.ts';
import type { TestUser } from '#server/testing/factories.ts';
import type { TestServer } from '#server/testing/server.ts';
import { test } from '#server/testing/test.ts';

const solution = { accommodation: 'hotel', name: 'Hotel al Porto', total: '12480.50' } as const;
const as = (user: { id: UserId }, role: Scope['role'] = 'user'): Scope => ({ userId: user.id, role });

/** Attaches an offer with two solutions to `request`, acting as `scope`. @returns the id of the offer */
function attach(
  { services }: TestServer,
  scope: Scope,
  request: { id: number },
  owner: TestUser,
): Promise<number | undefined> {
  return transaction(services.pool, scope, async (tx) => {
    const [offer] = await tx
      .insert(offers)
      .values({ tripRequestId: request.id, userId: owner.id })
      .returning({ id: offers.id });
    if (!offer) return undefined;
    const row = { ...solution, offerId: offer.id, userId: owner.id };
    await tx.insert(offerSolutions).values([row, { ...row, accommodation: 'appartamento' }]);
    return offer.id;
  });
}

describe('an offer', () => {
  test('is attached by an administrator, readable only by its customer, and deleted with its request', async ({
    server,
  }) => {
    const { pool } = server.services;
    const [owner, stranger] = [await server.make.user(), await server.make.user()];
    const admin = await server.make.user({ role: 'admin' });
    const request = await server.make.tripRequest(owner);
    const id = await attach(server, as(admin, 'admin'), request, owner);
    const seenBy = async (scope: Scope) =>
      (await readAs(pool, scope).select({ total: offerSolutions.total }).from(offerSolutions)).map(
        ({ total }) => total,
      );
    expect(await seenBy(as(owner))).toEqual([solution.total, solution.total]);
    expect(await seenBy(as(stranger))).toEqual([]);
    await expect(attach(server, as(owner), request, owner)).rejects.toMatchObject({
      cause: { code: '42501' },
    });

    await server.make.sql('delete from trip_requests where id = $1', [request.id]);
    const left = readAs(pool, SYSTEM).select({ n: count() }).from(offerSolutions);
    expect(await left.where(eq(offerSolutions.offerId, id ?? 0))).toEqual([{ n: 0 }]);
  });

  test('cannot be attached across customers, cost nothing, or have two chosen solutions', async ({
    server,
  }) => {
    const [owner, stranger] = [await server.make.user(), await server.make.user()];
    const request = await server.make.tripRequest(owner);
    await expect(attach(server, SYSTEM, request, stranger)).rejects.toMatchObject({
      cause: { code: '23503' },
    });
    const id = await attach(server, SYSTEM, request, owner);
    const choose = () =>
      server.make.sql('update offer_solutions set chosen_at = now() where offer_id = $1', [id]);
    await expect(choose()).rejects.toMatchObject({ code: '23505' });
    const free = server.make.sql('update offer_solutions set total = 0 where offer_id = $1', [id]);
    await expect(free).rejects.toMatchObject({ code: '23514' });
  });
});
