import { useCallback, useMemo } from 'react';

/** The names that several of `names` share. */
export function sharedNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const name of names) (seen.has(name) ? shared : seen).add(name);
  return [...shared];
}

/**
 * How controls name the row they belong to: with its details where another row has the same name, since whoever hears
 * the controls one by one could not tell them apart.
 * @param nameOf stable, like `detailsOf`
 * @returns stable too, until other rows share a name
 */
export function useDistinctNames<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  detailsOf: (row: Row) => string | null,
): (row: Row) => string {
  const shared = JSON.stringify(useMemo(() => sharedNames(rows.map(nameOf)), [rows, nameOf]));
  const isShared = useMemo(() => new Set<string>(JSON.parse(shared)), [shared]);
  return useCallback(
    (row) => {
      const name = nameOf(row);
      const details = isShared.has(name) && detailsOf(row);
      return details ? `${name} (${details})` : name;
    },
    [isShared, nameOf, detailsOf],
  );
}
