import { type ReactNode, useEffect, useRef } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation } from 'react-router';
import './ui/theme/fonts.css';
import headingFace from './ui/theme/fonts/bricolage-grotesque-italian.woff2?url';
import textFace from './ui/theme/fonts/inter-western.woff2?url';
import './ui/theme/tokens.css';
import './ui/theme/application-tokens.css';
import './ui/theme/base.css';
import { FirstView } from './app/shell/first-view.tsx';
import { usePrefetchOnIntent } from './lib/prefetch.ts';
import { showTextFace } from './site/text-face.ts';
import { RouteError } from './ui/route-error.tsx';
import { ToastRegion } from './ui/toast-region.tsx';

/** The HTML document shared by the prerendered site and the application. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    // Mantine writes its colour-scheme attribute on this element as soon as the application mounts.
    <html lang="it" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, minimum-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fffdf9" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0b1719" media="(prefers-color-scheme: dark)" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        {/* A public page on a phone asks for the second after the first paint. */}
        {[headingFace, textFace].map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="anonymous" />
        ))}
        <Meta />
        <Links />
      </head>
      <body {...usePrefetchOnIntent()}>
        {/* Otherwise React marks the body as clickable, which screen readers say of all that can have the focus. */}
        <div>{children}</div>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** What `/app` shows while its code is on the way. */
export function HydrateFallback() {
  return <FirstView />;
}

/** The last resort for whatever fails to render. */
export function ErrorBoundary() {
  return (
    <main>
      <RouteError home={<a href="/">Torna alla pagina iniziale</a>} />
    </main>
  );
}

export default function Root() {
  const location = useLocation();
  const shown = useRef(location);
  // A screen reader announces the new page by what has the focus, and the keyboard goes on from there, also in a part of a
  // page, to which the router only scrolls. The browser places it in the first one.
  useEffect(() => {
    const before = shown.current;
    if (before === location) return;
    shown.current = location;
    let target = document.getElementById(location.hash.slice(1));
    if (before.pathname !== location.pathname) {
      showTextFace();
      target ??= document.querySelector<HTMLElement>('[data-page-title]') ?? document.querySelector('main');
    }
    target?.focus({ preventScroll: true });
  }, [location]);
  return (
    <>
      <Outlet />
      {/* The same on the public pages and in the application: a login's toast would be read again in a region of its own. */}
      <ToastRegion />
    </>
  );
}
