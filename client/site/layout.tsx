import { Outlet } from 'react-router';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import './print.css';

/** The frame of every public page. The root moves the focus to the content after a navigation. */
export default function SiteLayout() {
  return (
    <>
      <Header />
      <main id="contenuto" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </>
  );
}
