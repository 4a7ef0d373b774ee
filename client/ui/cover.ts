import { useLayoutEffect } from 'react';

let covers = 0;

function note(change: 1 | -1): void {
  covers += change;
  document.documentElement.toggleAttribute('data-covered', covers > 0);
}

/**
 * While a dialog covers the page the document says so, and its style sheet keeps what is under it from scrolling. A selector
 * that asks for an open dialog (`:has`) would look through the page again after each of its changes.
 */
export function useCover(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    note(1);
    return () => note(-1);
  }, [opened]);
}
