import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { whenUncovered } from './cover.ts';

const widthInRem = (element: HTMLElement) =>
  element.clientWidth / Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** As measured last, wherever that was: most of what asks is as wide as the page. */
let usual: number | undefined;

/**
 * Whether an element is at least so many rem wide. What the window leaves it depends on the side menu, which a media query
 * does not know. While a dialog covers the page the answer stays what it was when that was opened.
 * @param rem as wide as what is to fit; 0 fits anywhere
 * @returns the element's `ref`, and the answer; undefined at the first element of all until that is measured, before it is
 *   painted
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
