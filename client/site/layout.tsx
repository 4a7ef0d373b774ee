import { Outlet } from 'react-router';

/** The frame of every public page. */
export default function SiteLayout() {
  return (
    <main id="contenuto">
      <Outlet />
    </main>
  );
}
