import type { InfiniteData } from '@tanstack/react-query';

/** A page of a list, with the number of rows of all pages. */
export type ListPage<One> = { items: One[]; nextCursor: string | null; total: number };

/** The pages of a list that a query has read so far. */
export type ListPages<One> = InfiniteData<ListPage<One>, unknown>;

type Row = { id: string | number } | { number: string };

/** A page of a list; what it has besides its rows are figures of the whole list. */
type Page = { items: readonly Row[]; nextCursor: string | null };

const keyOf = (row: Row) => ('id' in row ? row.id : row.number);

/** The rows of all pages read so far. One that moved to a later page before that was read is only in the later one. */
export function rowsOf<One extends Row>(pages: readonly { items: readonly One[] }[]): One[] {
  const latest = new Map<string | number, One>();
  for (const row of pages.flatMap(({ items }) => items)) {
    latest.delete(keyOf(row));
    latest.set(keyOf(row), row);
  }
  return [...latest.values()];
}

/** The rows of all pages read so far, and how many there are with those not read yet. */
export function flatten<One extends Row>({
  pages,
}: {
  pages: readonly { items: readonly One[]; total: number }[];
}): { items: One[]; total: number } {
  return { items: rowsOf(pages), total: pages[0]?.total ?? 0 };
}

const figuresOf = ({ items: _, nextCursor: __, ...figures }: Page) => JSON.stringify(figures);

/** Whether rows changed between reading the first page and the last: then they do not add up to the list's figures. */
export function isOutdated(pages: readonly Page[]): boolean {
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last || first === last) return false;
  const read = pages.reduce((count, { items }) => count + items.length, 0);
  return figuresOf(first) !== figuresOf(last) || rowsOf(pages).length < read;
}
