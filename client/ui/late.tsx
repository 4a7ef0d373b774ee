import { type ComponentType, type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { loadInBackground } from '#client/lib/background-code.ts';
import { toast } from './toast.ts';

type LateProps = {
  /** Whether somebody waits for it, as after the press that opens it; until then it is loaded ahead, and nothing is said. */
  wanted?: boolean;
  /** It did not come, which a toast has told. It is asked for again once it is wanted anew, or rendered anew. */
  onMissing: () => void;
};

/**
 * A part of a page whose code is loaded once it is rendered. Code that does not come, as the connection is gone or a new
 * version was deployed meanwhile, leaves the page with what is typed in it: React's `lazy` would fail all of the page, keep
 * the failure, and the page would be loaded again.
 * @param fallback what stands until the code is there
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
      void ask().then((code) => {
        if (!current) return;
        if (code) return startTransition(() => setPart(() => code));
        if (!wanted) return;
        toast({
          title: 'Questa parte della pagina non si è caricata',
          message: 'Controlla la connessione e riprova. Se non basta, ricarica la pagina.',
          kind: 'error',
        });
        latest.current();
      });
      return () => {
        current = false;
      };
    }, [Part, wanted]);
    // What is left of them are the component's own.
    return Part ? <Part {...(rest as unknown as Props)} /> : fallback;
  };
}
