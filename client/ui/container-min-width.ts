import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { whenUncovered } from './cover.ts';
import { pageTitle } from './opener.ts';

const widthInRem = (element: HTMLElement) =>
  element.clientWidth / Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** What a control is called, by a screen reader as well. */
const nameOf = (control: Element) => control.getAttribute('aria-label') ?? control.textContent;

/** The entries of the list that is, or was, inside `part`, in their order. */
const entriesOf = (part: Element) => [...part.querySelectorAll<HTMLElement>('[data-entry]')];

/**
 * What stands for `lost` after the table that it was in has become cards, or the other way round: the control of the same
 * name in the same entry. Where there is none, as for the header of a column, the title above the list.
 * @param lost a control that was removed with its list
 */
function counterpartOf(lost: HTMLElement, around: HTMLElement): HTMLElement | null {
  const entry = lost.closest<HTMLElement>('[data-entry]');
  const among = entry?.parentElement ? entriesOf(entry.parentElement) : [];
  const now = entriesOf(around);
  const same = entry?.dataset.index
    ? now.find(({ dataset }) => dataset.index === entry.dataset.index)
    : entry && now[among.indexOf(entry)];
  const controls = same?.querySelectorAll<HTMLElement>(lost.tagName) ?? [];
  return (
    [...controls].find((control) => nameOf(control) === nameOf(lost)) ??
    around.closest('section')?.querySelector('h2') ??
    pageTitle()
  );
}

/** The last measured width of any container, a good first guess because most are as wide as the page. */
let usual: number | undefined;

/**
 * Whether an element is at least `rem` wide. The available width depends on the side menu, so a media query cannot
 * tell. While a dialog covers the page, the result stays as it was when the dialog opened. If the control that has the focus
 * is removed because the result changes, the focus moves to what stands for it.
 * @param rem the width the content needs; 0 always fits
 * @returns the element's `ref` and the result, which is undefined only until the very first measurement, before the
 *   first paint
 */
export function useContainerMinWidth(
  rem: number,
): [ref: RefObject<HTMLDivElement | null>, enough: boolean | undefined] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(usual);
  const enough = width === undefined ? undefined : width >= rem;
  /** What had the focus inside when the width was last measured. */
  const focused = useRef<Element>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || rem === 0) return;
    const measure = () => {
      focused.current = element.contains(document.activeElement) ? document.activeElement : null;
      usual = widthInRem(element);
      setWidth(usual);
    };
    // Measuring now lays out the page within the task that renders it. The observer measures when that has been done, still
    // before the paint.
    if (usual === undefined) measure();
    let forget = () => {};
    const observer = new ResizeObserver(() => {
      forget();
      flushSync(() => {
        forget = whenUncovered(measure);
      });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      forget();
    };
  }, [rem]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the result changes
  useLayoutEffect(() => {
    const lost = focused.current;
    if (!ref.current || !(lost instanceof HTMLElement) || lost.isConnected) return;
    const target = counterpartOf(lost, ref.current);
    if (target && target.tabIndex < 0) target.tabIndex = -1;
    target?.focus();
  }, [enough]);
  return [ref, rem === 0 || enough];
}
