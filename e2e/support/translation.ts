import type { Page } from '@playwright/test';

/**
 * Translates the page as the browser does, and goes on with what it shows later: every text makes way for a `<font>` element.
 * The words stay what they are, between quotation marks.
 */
export async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const replace = (text: Text) => {
      if (!text.data.trim() || text.parentElement?.closest('font, script, style, title, textarea')) return;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = `«${text.data}»`;
      outer.append(inner);
      text.replaceWith(outer);
    };
    const replaceIn = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts = root instanceof Text ? [root] : [];
      while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
      texts.forEach(replace);
    };
    replaceIn(document.body);
    new MutationObserver((records) => {
      for (const { addedNodes } of records) addedNodes.forEach(replaceIn);
    }).observe(document.body, { childList: true, subtree: true });
  });
}
