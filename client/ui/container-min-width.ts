import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { whenUncovered } from './cover.ts';

const widthInRem = (element: HTMLElement) =>
  element.clientWidth / Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** The last measured width of any container, a good first guess because most are as wide as the page. */
let usual: number | undefined;

/**
 * Whether an element is at least `rem` wide. The available width depends on the side menu, so a media query cannot
 * tell. While a dialog covers the page, the result stays as it was when the dialog opened.
 * @param rem the width the content needs; 0 always fits
 * @returns the element's `ref` and the result, which is undefined only until the very first measurement, before the
 *   first paint
 */
export function useContainerMinWidth(
  rem: number,
): [ref: RefObject<HTMLDivElement | null>, enough: boolean | undefined] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(usual);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || rem === 0) return;
    const measure = () => {
      usual = widthInRem(element);
      setWidth(usual);
    };
    measure();
    let forget = () => {};
    const observer = new ResizeObserver(() => {
      forget();
      forget = whenUncovered(measure);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      forget();
    };
  }, [rem]);
  if (rem === 0) return [ref, true];
  return [ref, width === undefined ? undefined : width >= rem];
}
