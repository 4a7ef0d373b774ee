import { type ComponentType, memo, useRef } from 'react';

type Handler = (...input: unknown[]) => unknown;

/** The handlers among `props`, the same functions at every render; each calls that of the latest. */
function useStableHandlers(props: object): Record<string, Handler> {
  const latest = useRef<object>(props);
  latest.current = props;
  const stable = useRef<Record<string, Handler>>({});
  const present = Object.entries(props).filter(
    ([name, value]) => /^on[A-Z]/.test(name) && typeof value === 'function',
  );
  return Object.fromEntries(
    present.map(([name]) => {
      stable.current[name] ??= (...input) => (latest.current as Record<string, Handler>)[name]?.(...input);
      return [name, stable.current[name]];
    }),
  );
}

/**
 * Like `memo`, for components whose handlers are new functions at every render, as those that a form gives its fields: a
 * letter typed into one field does not render all the others.
 * @param areAlike compares the properties that are no handlers; shallowly by default
 */
export function memoWithStableHandlers<Props extends object>(
  Component: ComponentType<Props>,
  areAlike?: (before: Readonly<Props>, next: Readonly<Props>) => boolean,
) {
  const Memoized = memo(Component, areAlike) as unknown as ComponentType<Props>;
  return function WithStableHandlers(props: Props) {
    return <Memoized {...props} {...useStableHandlers(props)} />;
  };
}
