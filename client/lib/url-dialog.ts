import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { afterPaint } from './after-paint.ts';

/**
 * A dialog whose open state is in the page's URL, so that it is open again after a reload and after the login that
 * follows a lost session. The press that opens or closes it is shown before the router changes the URL.
 * @param name of the query parameter
 */
export function useUrlDialog(name: string): [opened: boolean, actions: { open(): void; close(): void }] {
  const [parameters, setParameters] = useSearchParams();
  const change = useCallback(
    (opened: boolean) =>
      setParameters(
        (current) => {
          if (opened) current.set(name, '1');
          else current.delete(name);
          return current;
        },
        { replace: true, preventScrollReset: true },
      ),
    [name, setParameters],
  );
  const open = useCallback(() => void afterPaint(() => change(true)), [change]);
  const close = useCallback(() => void afterPaint(() => change(false)), [change]);
  return [parameters.has(name), { open, close }];
}
