import { type ReactNode, useEffect } from 'react';
import { Navigate } from 'react-router';
import { useMe } from '#client/lib/session.ts';
import { toast } from '#client/ui/toast.ts';
import { ERRORS } from '#contract/errors.ts';

function Refused() {
  useEffect(() => toast({ title: ERRORS.users_forbidden.message, kind: 'error' }), []);
  return <Navigate to="/app/home" replace />;
}

/** Its content for who manages trip requests; everybody else goes home with the toast of spec §6. */
export function AdminOnly({ children }: { children: ReactNode }) {
  return useMe().permissions.manageTripRequests ? children : <Refused />;
}
