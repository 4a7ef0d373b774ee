import { type PointerEvent, type SyntheticEvent, useContext, useRef } from 'react';
import { UNSAFE_DataRouterContext, UNSAFE_FrameworkContext } from 'react-router';

/** A pointer or the focus that stays this long on a link is not only passing over it. */
const INTENT_MS = 100;

/**
 * Loads the code of the page behind an `a[data-prefetch]` that is hovered or focused, before it is followed. This
 * replaces the router's `prefetch="intent"`, which reloads the document, and with it what was typed, if the code is
 * missing after a deployment. Here nothing happens until the link is followed. With touch, the press comes first.
 * @returns the handlers of the element around all links
 */
export function usePrefetchOnIntent() {
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const routes = useContext(UNSAFE_FrameworkContext)?.manifest.routes;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  function onIntent({ target }: SyntheticEvent) {
    clearTimeout(timer.current);
    const link = (target as Element).closest<HTMLAnchorElement>('a[data-prefetch]');
    if (!link) return;
    timer.current = setTimeout(() => {
      for (const { route } of router?.match(link.pathname) ?? []) {
        const { module, imports = [] } = routes?.[route.id] ?? {};
        // The imports are listed too, so that they are requested at the same time.
        for (const file of [module, ...imports]) file && import(/* @vite-ignore */ file).catch(() => 0);
      }
    }, INTENT_MS);
  }
  return {
    onFocus: onIntent,
    onPointerOver: (event: PointerEvent) => event.pointerType !== 'touch' && onIntent(event),
  };
}
