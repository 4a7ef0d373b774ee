import { useEffect, useRef } from 'react';

let opener: HTMLElement | null = null;

/** Longer than Mantine takes to give the focus back itself, where it knows to whom. */
const AFTER_MANTINE_MS = 50;

/** Remembers what was focused last outside menus and dialogs: what opened whatever opens next. For the frame. */
export function useOpenerMemory(): void {
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && !target.closest('[role=dialog], [role=menu]')) opener = target;
    };
    addEventListener('focusin', remember);
    return () => removeEventListener('focusin', remember);
  }, []);
}

/**
 * Where `element` stands: in the entry of a list, in a part of the page.
 * @returns what finds it again, or what stands in its place once it has gone: the next entry's menu, the title of the part
 */
function placeOf(element: HTMLElement | null): () => HTMLElement | null {
  const entry = element?.closest('[data-entry]');
  const list = entry?.parentElement;
  const entries = () => [...(list?.querySelectorAll<HTMLElement>(':scope > [data-entry]') ?? [])];
  const index = entries().indexOf(entry as HTMLElement);
  const title = element?.closest('section')?.querySelector('h2');
  return () => {
    if (element?.isConnected) return element;
    const next =
      list?.isConnected &&
      entries()
        .slice(0, index + 1)
        .at(-1);
    const target = next ? (next.querySelector<HTMLElement>('[aria-haspopup=menu]') ?? next) : title;
    if (!target?.isConnected) return document.querySelector('main');
    if (target.tabIndex < 0) target.tabIndex = -1;
    return target;
  };
}

/**
 * Gives the focus to the title of what `element` stands in, before it goes: of the part of the page, of the dialog, or else of
 * the page.
 */
export function focusTitleAbove(element: Element): void {
  const title =
    element.closest('section')?.querySelector<HTMLElement>('h2') ??
    document.querySelector<HTMLElement>('[data-page-title]');
  if (!title) return;
  if (title.tabIndex < 0) title.tabIndex = -1;
  title.focus({ preventScroll: true });
}

const isFocusLost = () =>
  document.activeElement === document.body || document.activeElement?.closest('[role=dialog]') !== null;

let openDialogs = 0;

/**
 * For what is done to an entry of a list, which may leave it: call what it returns before, and what that returns after.
 * The focus is then on what was pressed, or on what has come in its place.
 */
export function useFocusInPlace(): () => () => void {
  const give = useRef(() => {});
  useEffect(() => () => give.current(), []);
  return () => {
    const place = placeOf(opener);
    const goBack = () =>
      void setTimeout(
        // What is done in a dialog has its place there.
        () => isFocusLost() && openDialogs === 0 && place()?.focus({ preventScroll: true }),
        AFTER_MANTINE_MS,
      );
    give.current = goBack;
    return goBack;
  };
}

/**
 * Takes note that a dialog opened. @returns what notes its end, and gives the focus that is lost with it to what opened it,
 * or to what stands in its place where that is gone. Focus that has found another place stays there.
 * @param from what had the focus when it was asked for: where that is in another dialog, which stays, it gets the focus back
 */
export function noteDialog(from: Element | null): () => void {
  openDialogs += 1;
  const wanted = placeOf(opener);
  const below = from instanceof HTMLElement && from.closest('[role=dialog]') ? from : null;
  return () => {
    openDialogs -= 1;
    setTimeout(() => {
      if (openDialogs > 0) {
        if (document.activeElement === document.body) below?.focus({ preventScroll: true });
      } else if (isFocusLost()) {
        wanted()?.focus({ preventScroll: true });
      }
    }, AFTER_MANTINE_MS);
  };
}

/**
 * Gives the focus back to what had it before what is `opened` covered the page; for what is no `Dialog`, which does so by itself.
 * The library does not, where it is opened as it is rendered first, or rendered after the press was answered.
 */
export function useFocusBack(opened: boolean): void {
  useEffect(() => (opened ? noteDialog(null) : undefined), [opened]);
}
