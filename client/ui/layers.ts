/** The dialogs, the palette and the menu of a phone that are open, with what darkens what is below them; the uppermost last. */
const sheets: Element[] = [];

/** Hides what is below the uppermost sheet from screen readers: the frame of the page, and sheets. Never what has the focus. */
function hideCovered(): void {
  const layers = [document.querySelector('[data-frame]'), ...sheets];
  for (const [index, layer] of layers.entries()) {
    const hidden = index < sheets.length && !layer?.contains(document.activeElement);
    if (hidden) layer?.setAttribute('aria-hidden', 'true');
    else layer?.removeAttribute('aria-hidden');
  }
}

/**
 * Makes a sheet modal for screen readers by hiding what is below it. With `aria-modal`, which Mantine sets, some of them
 * hide everything outside the dialog's element: the toasts, and the lists, calendars and menus of the dialog itself, which
 * are rendered at the end of the document so that nothing cuts them off. Not `inert`, which would have every element of the
 * page styled anew.
 * @param part an element in the sheet, as the `ref` of which it is called when the sheet opens
 * @returns to be called when the sheet closes
 */
export function hideBelow(part: Element | null): () => void {
  const dialog = part?.closest('[role=dialog]');
  const sheet = dialog?.closest('[data-portal] > *');
  if (!dialog || !sheet) throw new Error('Only a sheet covers what is below it');
  dialog.removeAttribute('aria-modal');
  sheets.push(sheet);
  document.addEventListener('focusin', hideCovered);
  hideCovered();
  return () => {
    sheets.splice(sheets.indexOf(sheet), 1);
    if (sheets.length === 0) document.removeEventListener('focusin', hideCovered);
    sheet.removeAttribute('aria-hidden');
    hideCovered();
  };
}
