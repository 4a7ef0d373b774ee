import type { ReactNode } from 'react';
import { Refused } from '#client/app/shell/refused.tsx';
import { useMe } from '#client/lib/session.ts';

/**
 * Renders its content for administrators of trip requests; redirects everybody else to Home with the toast of spec §6.
 */
export function AdminOnly({ children }: { children: ReactNode }) {
  const { manageTripRequests } = useMe().permissions;
  return manageTripRequests ? children : <Refused />;
}
