import { type ComponentType, memo, useRef } from 'react';

type Handler = (...input: unknown[]) => unknown;

/** Handlers that never change by name, and call those of the last render. */
function useSteadyHandlers(props: object): Record<string, Handler> {
  const latest = useRef<object>(props);
  latest.current = props;
  const steady = useRef<Record<string, Handler>>({});
  const present = Object.entries(props).filter(
    ([name, value]) => /^on[A-Z]/.test(name) && typeof value === 'function',
  );
  return Object.fromEntries(
    present.map(([name]) => {
      steady.current[name] ??= (...input) => (latest.current as Record<string, Handler>)[name]?.(...input);
      return [name, steady.current[name]];
    }),
  );
}

/**
 * The same component, rendered again when what it shows has changed, and not with every letter that is typed into its
 * neighbours: the handlers that a form gives its fields are new each time, and do the same.
 * @param areAlike whether these properties show the same; as `memo` has it unless told
 */
export function steady<Props extends object>(
  Component: ComponentType<Props>,
  areAlike?: (before: Readonly<Props>, next: Readonly<Props>) => boolean,
) {
  const Still = memo(Component, areAlike) as unknown as ComponentType<Props>;
  return function Steady(props: Props) {
    return <Still {...props} {...useSteadyHandlers(props)} />;
  };
}
