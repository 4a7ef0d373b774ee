/** Long texts that every screen must be able to show. */
export const LONGEST = {
  project: 'Manutenzione straordinaria della centrale termoelettrica di Torrevaldaliga Nord',
  person: 'Massimiliano Bartolomeo Della Gherardesca',
  company: 'Impresa Generale Costruzioni e Manutenzioni Industriali del Mezzogiorno S.p.A.',
  email: 'massimiliano.bartolomeo.dellagherardesca@impresa-generale-costruzioni.example',
} as const;

/** The number of records on the first page of a list. */
const FIRST_PAGE = 25;

/** The first items of a list of `count`. @param item makes the n-th, from 0 */
export function firstItems<Item>(count: number, item: (index: number) => Item): Item[] {
  return Array.from({ length: Math.min(count, FIRST_PAGE) }, (_, index) => item(index));
}

/** The first page of a list of `count`, as the API answers it. @param item makes the n-th, from 0 */
export function firstPage<Item>(count: number, item: (index: number) => Item) {
  return {
    items: firstItems(count, item),
    total: count,
    nextCursor: count > FIRST_PAGE ? 'more' : null,
  };
}
