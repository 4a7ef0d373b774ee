import type { ComponentProps, MouseEvent } from 'react';
import { createPath, Link as RouterLink, useNavigate, useResolvedPath } from 'react-router';
import { afterPaint } from '#client/lib/after-paint.ts';

/** With `data-prefetch`, hovering or focusing the link loads the target page's code: see `client/lib/prefetch.ts`. */
type LinkProps = Omit<ComponentProps<typeof RouterLink>, 'prefetch' | 'reloadDocument' | 'viewTransition'>;

/** Whether the application handles the click; with a modifier key or a target window, the browser does. */
function isForPage({
  button,
  metaKey,
  ctrlKey,
  shiftKey,
  altKey,
  currentTarget,
}: MouseEvent<HTMLAnchorElement>) {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !currentTarget.target;
}

/** Whether `address` is the current one. Going there adds no history entry. */
export function isHere(address: string): boolean {
  return address === location.pathname + location.search + location.hash;
}

/** The router's link, for pages of the application: the press is shown before the target page starts to render. */
export function Link({ onClick, to, replace, state, preventScrollReset, relative, ...rest }: LinkProps) {
  const navigate = useNavigate();
  const target = useResolvedPath(to, { relative });
  return (
    <RouterLink
      {...rest}
      to={to}
      relative={relative}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isForPage(event)) return;
        event.preventDefault();
        const here = isHere(createPath(target));
        afterPaint(() => navigate(to, { replace: replace ?? here, state, preventScrollReset, relative }));
      }}
    />
  );
}
