import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '#client/lib/api.ts';

/** Everything Home shows. Fresh at each visit: whatever was changed elsewhere in the application shows here. */
export const dashboardQuery = queryOptions({
  queryKey: ['dashboard'],
  queryFn: () => answer(api.dashboard.$get()),
  staleTime: 0,
});
