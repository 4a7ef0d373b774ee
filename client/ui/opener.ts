import { useEffect, useRef } from 'react';
import { useOnce } from '#client/lib/once.ts';
import { toastFailure } from '#client/lib/toast.ts';

let opener: HTMLElement | null = null;

/** What gets the focus where a page begins: its title, or its content if it has none. */
export const pageTitle = () =>
  document.querySelector<HTMLElement>('[data-page-title]') ?? document.querySelector('main');

/** Longer than Mantine takes to return the focus itself, in the cases where it does. */
const AFTER_MANTINE_MS = 50;

/**
 * Remembers the last focused element outside menus and dialogs, which is what opens the next one. Used by the
 * application's frame.
 */
export function useOpenerMemory(): void {
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && !target.closest('[role=dialog], [role=menu]')) opener = target;
    };
    addEventListener('focusin', remember);
    return () => removeEventListener('focusin', remember);
  }, []);
}

/** What of a list entry gets the focus: its name, since a screen reader would read all of the entry. */
export const nameIn = (entry: HTMLElement) => entry.querySelector<HTMLElement>('h3,th,[data-name]') ?? entry;

/**
 * The place of `element`: in a list entry, in a named group of controls, or in a part of the page.
 * @returns finds the element again or, once it is gone, what took its place: the menu or the name of the next entry,
 *   the group, or the title of the part
 */
function placeOf(element: HTMLElement | null): () => HTMLElement | null {
  const entry = element?.closest('[data-entry]');
  const list = entry?.parentElement;
  const entries = () => [...(list?.querySelectorAll<HTMLElement>(':scope > [data-entry]') ?? [])];
  const index = entries().indexOf(entry as HTMLElement);
  const group = element?.closest<HTMLElement>('[role=group][aria-label]');
  const title = element?.closest('section')?.querySelector('h2');
  return () => {
    if (element?.isConnected) return element;
    const next =
      list?.isConnected &&
      entries()
        .slice(0, index + 1)
        .at(-1);
    // The last menu, because that of a file is before that of its row.
    const menu = next && [...next.querySelectorAll<HTMLElement>('[aria-haspopup=menu]')].at(-1);
    const target = menu || (next ? nameIn(next) : group?.isConnected ? group : title);
    if (!target?.isConnected) return pageTitle();
    if (target.tabIndex < 0) target.tabIndex = -1;
    return target;
  };
}

/** Focuses the title above `element` before the element is removed: of its section, its dialog or the page. */
export function focusTitleAbove(element: Element): void {
  const title = element.closest('section')?.querySelector<HTMLElement>('h2') ?? pageTitle();
  if (!title) return;
  if (title.tabIndex < 0) title.tabIndex = -1;
  title.focus({ preventScroll: true });
}

/** Whether what had the focus is gone, or only a dialog that closes has it. */
export const isFocusLost = () =>
  document.activeElement === document.body || document.activeElement?.closest('[role=dialog]') !== null;

let openDialogs = 0;

/**
 * For the buttons of a list entry whose action may remove it. The action must not rely on callbacks of mutate(), which are
 * dropped when the entry is unmounted.
 * @returns performs an action, unless the one before is still under way, and shows its failure; then the focus is on the
 *   pressed element or on what took its place
 */
export function useFocusInPlace(): (action: () => Promise<void>) => void {
  const once = useOnce();
  const inPlace = useChoiceInPlace();
  return (action) => once(() => inPlace(action));
}

/** `useFocusInPlace` for a select: what is chosen while the choice before is under way counts as well. */
export function useChoiceInPlace(): (action: () => Promise<void>) => Promise<void> {
  const give = useRef(() => {});
  useEffect(() => () => give.current(), []);
  return (action) => {
    const place = placeOf(opener);
    const goBack = () =>
      void setTimeout(
        // An action in a dialog leaves the focus there.
        () => isFocusLost() && openDialogs === 0 && place()?.focus({ preventScroll: true }),
        AFTER_MANTINE_MS,
      );
    give.current = goBack;
    return action().catch(toastFailure).finally(goBack);
  };
}

/**
 * Records that a dialog opened.
 * @param from the focused element when the dialog was requested; if it is in another dialog that stays open, it gets
 *   the focus back, or what took its place there does
 * @returns to be called when the dialog closes: if the focus was lost with it, it moves to the opener or to what took
 *   the opener's place; focus that has moved elsewhere stays
 */
export function noteDialog(from: Element | null): () => void {
  openDialogs += 1;
  const wanted = placeOf(opener);
  const below = from instanceof HTMLElement && from.closest('[role=dialog]') ? placeOf(from) : null;
  return () => {
    openDialogs -= 1;
    setTimeout(() => {
      if (openDialogs > 0) {
        const place = document.activeElement === document.body ? below?.() : null;
        if (place?.closest('[role=dialog]')) place.focus({ preventScroll: true });
      } else if (isFocusLost()) {
        wanted()?.focus({ preventScroll: true });
      }
    }, AFTER_MANTINE_MS);
  };
}

/**
 * Returns the focus after an `opened` layer that is not a `Dialog`, which does so itself. Mantine does not if the layer
 * is open when first rendered, or rendered after the press was shown.
 */
export function useFocusBack(opened: boolean): void {
  useEffect(() => (opened ? noteDialog(null) : undefined), [opened]);
}
