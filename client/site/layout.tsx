import { useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { ToastRegion } from '#client/ui/toast-region.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';

/** The frame of every public page. After a navigation the focus moves to the content, as after a page load. */
export default function SiteLayout() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current !== pathname) main.current?.focus({ preventScroll: true });
    shown.current = pathname;
  }, [pathname]);
  return (
    <>
      <Header />
      <main id="contenuto" ref={main} tabIndex={-1} style={{ outline: 'none' }}>
        <Outlet />
      </main>
      <Footer />
      <ToastRegion />
    </>
  );
}
