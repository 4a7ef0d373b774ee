import { useCallback, useMemo } from 'react';

/** The names that several of `names` share. */
export function sharedNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const name of names) (seen.has(name) ? shared : seen).add(name);
  return [...shared];
}

/** Whether another row has the same name. @returns stable until other rows share a name */
function useShared<Row>(rows: readonly Row[], nameOf: (row: Row) => string): (row: Row) => boolean {
  const shared = JSON.stringify(useMemo(() => sharedNames(rows.map(nameOf)), [rows, nameOf]));
  const names = useMemo(() => new Set<string>(JSON.parse(shared)), [shared]);
  return useCallback((row) => names.has(nameOf(row)), [names, nameOf]);
}

/**
 * How controls name the row they belong to: with its details where another row has the same name, since whoever hears
 * the controls one by one could not tell them apart.
 * @param nameOf stable, like `detailsOf` and `furtherOf`
 * @param furtherOf is added where the details are the same, too
 * @returns stable too, until other rows share a name
 */
export function useDistinctNames<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  detailsOf: (row: Row) => string | null,
  furtherOf: (row: Row) => string | null = nothing,
): (row: Row) => string {
  const isShared = useShared(rows, nameOf);
  const bothOf = useCallback((row: Row) => `${nameOf(row)}\n${detailsOf(row)}`, [nameOf, detailsOf]);
  const isAlike = useShared(rows, bothOf);
  return useCallback(
    (row) => {
      const details =
        isShared(row) && [detailsOf(row), isAlike(row) && furtherOf(row)].filter(Boolean).join(', ');
      return details ? `${nameOf(row)} (${details})` : nameOf(row);
    },
    [isShared, isAlike, nameOf, detailsOf, furtherOf],
  );
}

const nothing = () => null;
