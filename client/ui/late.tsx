import { type ComponentType, type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { afterPaint } from '#client/lib/after-paint.ts';
import { loadInBackground, NOT_LOADED } from '#client/lib/background-code.ts';
import { toast } from '#client/lib/toast.ts';

type LateProps = {
  /**
   * Whether the user is waiting for it, for example after pressing a button that opens it. Until then it is preloaded,
   * and a failure is not reported.
   */
  wanted?: boolean;
  /**
   * Called when the code could not be loaded, after a toast said so. Loading is tried again when it is wanted or
   * rendered again.
   */
  onMissing: () => void;
};

/**
 * A part of a page whose code is loaded when it is first rendered. If the code cannot be loaded, because the connection
 * is down or a new version was deployed, the page stays with everything typed in it. React's `lazy` would fail the
 * whole page and cache the failure, so that only a reload would help.
 * @param fallback shown until the code is loaded
 */
export function late<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: ReactNode = null,
): ComponentType<Props & LateProps> {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props> | null> | null = null;

  function ask(): Promise<ComponentType<Props> | null> {
    loading ??= loadInBackground(load).then((code) => {
      loading = null;
      loaded = code?.default ?? null;
      return loaded;
    });
    return loading;
  }

  return function Late({ wanted = true, onMissing, ...rest }: Props & LateProps) {
    const [Part, setPart] = useState(() => loaded);
    const latest = useRef(onMissing);
    latest.current = onMissing;
    useEffect(() => {
      if (Part) return;
      let current = true;
      // Inserting its scripts and styles into the document takes longer than the frame that responds to a press has.
      const cancel = afterPaint(async () => {
        const code = await ask();
        if (!current) return;
        if (code) return startTransition(() => setPart(() => code));
        if (!wanted) return;
        toast({ ...NOT_LOADED, kind: 'error' });
        latest.current();
      });
      return () => {
        current = false;
        cancel();
      };
    }, [Part, wanted]);
    // What is left of them are the component's own.
    return Part ? <Part {...(rest as unknown as Props)} /> : fallback;
  };
}
