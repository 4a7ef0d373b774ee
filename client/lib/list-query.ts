import { infiniteQueryOptions, keepPreviousData, type QueryKey } from '@tanstack/react-query';

/**
 * The query of a list that is read page by page. While another search, filter or order is being read, the list before it
 * stays.
 * @param read reads the page at `cursor`, undefined for the first one
 */
export function listQuery<Page extends { nextCursor: string | null }>(
  queryKey: QueryKey,
  read: (cursor: string | undefined) => Promise<Page>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
}
