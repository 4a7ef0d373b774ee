import { useContext, useEffect } from 'react';
import { UNSAFE_DataRouterContext, UNSAFE_FrameworkContext } from 'react-router';

/** A pointer or the focus that stays this long on a link is not only passing over it. */
const INTENT_MS = 100;

/**
 * Loads the code of the page behind an `a[data-prefetch]` that is hovered or focused, before it is followed. This
 * replaces the router's `prefetch="intent"`, which reloads the document, and with it what was typed, if the code is
 * missing after a deployment. Here nothing happens until the link is followed. With touch, the press comes first.
 */
export function usePrefetchOnIntent(): void {
  const routing = useContext(UNSAFE_DataRouterContext);
  const build = useContext(UNSAFE_FrameworkContext);

  useEffect(() => {
    let link: HTMLAnchorElement | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function prefetch(path: string) {
      for (const { route } of routing?.router.match(path) ?? []) {
        const code = build?.manifest.routes[route.id];
        // The imports are listed too, so that they are requested at the same time.
        for (const file of code ? [code.module, ...(code.imports ?? [])] : [])
          import(/* @vite-ignore */ file).catch(() => undefined);
      }
    }
    function onIntent(event: Event) {
      if (event instanceof PointerEvent && event.pointerType === 'touch') return;
      const target =
        event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-prefetch]') : null;
      if (target === link) return;
      link = target;
      clearTimeout(timer);
      if (target) timer = setTimeout(() => prefetch(target.pathname), INTENT_MS);
    }

    addEventListener('pointerover', onIntent);
    addEventListener('focusin', onIntent);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerover', onIntent);
      removeEventListener('focusin', onIntent);
    };
  }, [routing, build]);
}
