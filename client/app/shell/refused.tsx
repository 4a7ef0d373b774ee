import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { toast } from '#client/lib/toast.ts';

/** Replaces a page that the account may not open: shows a toast and redirects to Home (spec §6). */
export function Refused() {
  useEffect(() => {
    // No clean-up: the toast has to outlive this component.
    toast({ title: 'Accesso non autorizzato', kind: 'error' });
  }, []);
  return <Navigate to="/app/home" replace />;
}
