import type { Page } from '@playwright/test';

/**
 * Listens to the live regions of the page as screen readers do: of a new element they read all its text, of a changed
 * text only that one.
 * @returns what was announced since, in order
 */
export async function listenToStatus(page: Page): Promise<() => Promise<string[]>> {
  const heard = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const observer = new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const place = target instanceof Element ? target : target.parentElement;
        if (!place?.closest('[role=status]:not([aria-live=off])')) continue;
        for (const node of target instanceof Text ? [target] : addedNodes) texts.push(node.textContent ?? '');
      }
    });
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    return texts;
  });
  return () => heard.jsonValue();
}
