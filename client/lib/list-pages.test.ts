import { describe, expect, test } from 'vitest';
import { isOutdated, rowsOf } from './list-pages.ts';

const page = (ids: number[], total: number) => ({
  items: ids.map((id) => ({ id })),
  nextCursor: null,
  total,
});
const idsOf = (pages: ReturnType<typeof page>[]) => rowsOf(pages).map(({ id }) => id);

describe('the pages of a list', () => {
  test('add up to one list', () => {
    expect(idsOf([page([1, 2], 3), page([3], 3)])).toEqual([1, 2, 3]);
    expect(isOutdated([page([1, 2], 3), page([3], 3)])).toBe(false);
    expect(isOutdated([])).toBe(false);
  });

  test('have a row once that moved to a later page, and are outdated then', () => {
    const pages = [page([1, 2], 3), page([3, 1], 3)];
    expect(idsOf(pages)).toEqual([2, 3, 1]);
    expect(isOutdated(pages)).toBe(true);
  });

  test('are outdated when the figures of the list have changed in between', () => {
    expect(isOutdated([page([1, 2], 97), page([3], 3)])).toBe(true);
  });
});
