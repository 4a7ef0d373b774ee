import { Link, Outlet } from 'react-router';
import { LeaveGuard } from '#client/ui/leave-guard.tsx';
import { RouteError } from '#client/ui/route-error.tsx';

/** A page that fails to render leaves side menu and top bar in place. */
export function ErrorBoundary() {
  return <RouteError home={<Link to="/app/home">Torna alla Home</Link>} />;
}

/** Where the pages of the application appear. */
export default function Pages() {
  return (
    <LeaveGuard>
      <Outlet />
    </LeaveGuard>
  );
}
