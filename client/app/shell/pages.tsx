import { useState } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { LeaveGuard } from '#client/ui/leave-guard.tsx';
import { RouteError } from '#client/ui/route-error.tsx';

/** A page that fails to render leaves side menu and top bar in place. */
export function ErrorBoundary() {
  return <RouteError home={<Link to="/app/home">Torna alla Home</Link>} />;
}

/** Path of the page that was in sight before the one at `pathname`; null when that is the first. */
function usePageBefore(pathname: string): string | null {
  const [pages, setPages] = useState<{ now: string; before: string | null }>({ now: pathname, before: null });
  if (pages.now === pathname) return pages.before;
  setPages({ now: pathname, before: pages.now });
  return pages.now;
}

/** Where the pages of the application appear. */
export default function Pages() {
  const { pathname } = useLocation();
  return (
    <LeaveGuard>
      <Outlet context={usePageBefore(pathname)} />
    </LeaveGuard>
  );
}
