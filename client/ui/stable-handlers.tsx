import { type ComponentType, memo, useRef } from 'react';

type Handler = (...input: unknown[]) => unknown;

/** The handlers among `props` as stable functions; each calls the handler of the latest render. */
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
 * Like `memo`, for components whose handlers are new functions on every render, such as form fields: typing in one
 * field does not render all the others.
 * @param areAlike compares the props that are not handlers; shallowly by default
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
