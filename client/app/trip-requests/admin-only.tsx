import type { ReactNode } from 'react';
import { Refused } from '#client/app/shell/refused.tsx';
import { useMe } from '#client/lib/session.ts';
import { ERRORS } from '#contract/errors.ts';

/** Its content for who manages trip requests; everybody else goes home with the toast of spec §6. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const { manageTripRequests } = useMe().permissions;
  return manageTripRequests ? children : <Refused message={ERRORS.users_forbidden.message} />;
}
