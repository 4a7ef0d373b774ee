import type { ComponentProps, MouseEvent } from 'react';
import { createPath, Link as RouterLink, useNavigate, useResolvedPath } from 'react-router';
import { afterPaint } from '#client/lib/after-paint.ts';

type LinkProps = Omit<ComponentProps<typeof RouterLink>, 'reloadDocument' | 'viewTransition'>;

/** Whether a press is for the page: with a key held, or for another window, it is for the browser. */
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

/**
 * A mouse is on its way before it presses, and what it leads to can be fetched meanwhile. A finger is there already: the press
 * would wait for the link to be rendered anew. Pages are rendered beforehand, too, where nobody points.
 */
const POINTS = globalThis.matchMedia?.('(hover: hover)').matches === true;

/** The router's link, for the pages of the application: a press is answered before the page it leads to is looked for. */
export function Link({
  onClick,
  to,
  prefetch,
  replace,
  state,
  preventScrollReset,
  relative,
  ...rest
}: LinkProps) {
  const navigate = useNavigate();
  const target = useResolvedPath(to, { relative });
  return (
    <RouterLink
      {...rest}
      to={to}
      prefetch={POINTS ? prefetch : 'none'}
      relative={relative}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isForPage(event)) return;
        event.preventDefault();
        // To where one is already leads no new entry of the history.
        const here = createPath(target) === location.pathname + location.search + location.hash;
        afterPaint(() => navigate(to, { replace: replace ?? here, state, preventScrollReset, relative }));
      }}
    />
  );
}
