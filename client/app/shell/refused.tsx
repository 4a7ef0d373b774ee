import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { toast } from '#client/ui/toast.ts';

/** In the place of a page that an account may not open: it is told so, and sent home (spec §6). */
export function Refused({ message }: { message: string }) {
  useEffect(() => {
    // It outlives this place: nothing is to be undone as that goes.
    toast({ title: message, kind: 'error' });
  }, [message]);
  return <Navigate to="/app/home" replace />;
}
