import { describe, expect, test } from 'vitest';
import { ApiError } from './api.ts';
import { removingOnce } from './removing-once.ts';

/** A removal that is answered with these statuses in turn, 0 for a lost response, and then succeeds. */
function failing(...statuses: number[]) {
  return removingOnce(async (_id: string) => {
    const status = statuses.shift() ?? 204;
    if (status !== 204) throw new ApiError({ status, code: 'any', message: 'motivo' });
  });
}

describe('a removal that finds nothing left', () => {
  test.for([0, 500, 503])('succeeds when its first attempt failed with %i', async (status) => {
    const remove = failing(status, 404, 404);
    await expect(remove('a')).rejects.toMatchObject({ status });
    await expect(remove('a')).resolves.toBeUndefined();
    await expect(remove('a')).rejects.toMatchObject({ status: 404 });
  });

  test('fails the first time, after a refusal, and after another removal whose response was lost', async () => {
    await expect(failing(404)('a')).rejects.toMatchObject({ status: 404 });
    const refused = failing(409, 404);
    await expect(refused('a')).rejects.toMatchObject({ status: 409 });
    await expect(refused('a')).rejects.toMatchObject({ status: 404 });
    const other = failing(0, 404);
    await expect(other('a')).rejects.toMatchObject({ status: 0 });
    await expect(other('b')).rejects.toMatchObject({ status: 404 });
  });

  test('is not taken for one that is refused: the record is still there', async () => {
    const remove = failing(0, 409, 409);
    await expect(remove('a')).rejects.toMatchObject({ status: 0 });
    await expect(remove('a')).rejects.toMatchObject({ status: 409 });
    await expect(remove('a')).rejects.toMatchObject({ status: 409 });
  });

  test('fails once a repetition has succeeded, because the record was there again and somebody else removed it', async () => {
    const remove = failing(0, 204, 404);
    await expect(remove('a')).rejects.toMatchObject({ status: 0 });
    await expect(remove('a')).resolves.toBeUndefined();
    await expect(remove('a')).rejects.toMatchObject({ status: 404 });
  });
});
