import { useEffect, useState } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { useMe } from '#client/lib/session.ts';
import { isFocusLost, pageTitle } from '#client/ui/opener.ts';
import { RouteError } from '#client/ui/route-error.tsx';
import { wayHome } from './way-home.ts';

/** If a page fails to render, side menu and top bar stay. */
export function ErrorBoundary() {
  const { pathname } = useLocation();
  // The page may have failed with what had the focus in it.
  useEffect(() => {
    if (isFocusLost()) pageTitle()?.focus();
  }, []);
  const home = wayHome(useMe());
  // The first page itself would fail again with the data that it has.
  return <RouteError home={<Link {...home} reloadDocument={pathname === home.to} />} />;
}

/** Path of the page shown before the one at `pathname`; null if that is the first. */
function usePageBefore(pathname: string): string | null {
  const [pages, setPages] = useState<{ now: string; before: string | null }>({ now: pathname, before: null });
  if (pages.now === pathname) return pages.before;
  setPages({ now: pathname, before: pages.now });
  return pages.now;
}

/** Where the pages of the application are rendered. */
export default function Pages() {
  const { pathname } = useLocation();
  return <Outlet context={usePageBefore(pathname)} />;
}
