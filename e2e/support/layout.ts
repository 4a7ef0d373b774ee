import { expect, type Locator, type Page } from '@playwright/test';

/** Fails when the page, or a table in it, can be scrolled sideways, also once it is laid out for a new width. */
export async function expectToFit(page: Page): Promise<void> {
  const tooWide = () =>
    page
      .locator('html, main :has(> table)')
      .evaluateAll((frames) =>
        frames
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
          .map(
            ({ scrollWidth, clientWidth, tagName, textContent }) =>
              `${tagName} ${scrollWidth} > ${clientWidth}: ${textContent.slice(0, 200)}`,
          ),
      );
  await expect.poll(tooWide, 'wider than their place').toEqual([]);
}

/** Scrolls to the top, and fails when the visible toast covers the title of the page. */
export async function expectTitleUncovered(page: Page): Promise<void> {
  await page.evaluate('scrollTo(0, 0)');
  const title = await page.getByRole('heading', { level: 1 }).evaluate((heading) => {
    const words = document.createRange();
    words.selectNodeContents(heading);
    return words.getBoundingClientRect().toJSON();
  });
  const toast = page.locator('[data-at]');
  await expect(toast).toBeVisible();
  const { x = 0, y = 0, width = 0, height = 0 } = (await toast.boundingBox()) ?? {};
  const covers = x < title.right && x + width > title.left && y < title.bottom && y + height > title.top;
  expect(covers, `title under the toast, ${page.viewportSize()?.width} px`).toBe(false);
}

/** Fails when the toast covers a part of `locator`, once both are visible: between two pages a toast is drawn anew. */
export async function expectUncovered(locator: Locator): Promise<void> {
  const both = [locator, locator.page().locator('[data-at]')];
  let boxes: Awaited<ReturnType<Locator['boundingBox']>>[] = [];
  await expect
    .poll(async () => {
      boxes = await Promise.all(both.map((one) => one.boundingBox()));
      return boxes.includes(null);
    }, `${locator} and the toast are visible`)
    .toBe(false);
  const [under, toast] = boxes;
  if (!under || !toast) throw new Error('polled above');
  const covers = toast.y < under.y + under.height && toast.y + toast.height > under.y;
  expect(covers, `${locator} is under the toast`).toBe(false);
}

/** Fails when a word in the elements of `locator` is broken over two lines. */
export async function expectWholeWords(locator: Locator): Promise<void> {
  const broken = await locator.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const found: string[] = [];
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const { 0: word, index } of (text.textContent ?? '').matchAll(/\S+/g)) {
          const range = new Range();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
        }
      }
      return found;
    }),
  );
  expect(broken, 'broken words').toEqual([]);
}

/** Fails when the words that stand in an empty field are wider than it. */
export async function expectWholePlaceholder(field: Locator): Promise<void> {
  const [words, room] = await field.evaluate((input) => {
    if (!(input instanceof HTMLInputElement)) throw new Error('not a field');
    const look = getComputedStyle(input);
    const ruler = document.createElement('canvas').getContext('2d');
    if (!ruler || input.placeholder === '') throw new Error('nothing to measure');
    ruler.font = look.font;
    const sides = Number.parseFloat(look.paddingLeft) + Number.parseFloat(look.paddingRight);
    return [ruler.measureText(input.placeholder).width, input.clientWidth - sides];
  });
  expect(words, `width of the words in ${field}`).toBeLessThanOrEqual(room ?? 0);
}

/** Fails when what follows `name` in the text of `line` is drawn before the name ends. */
export async function expectDrawnBehind(line: Locator, name: string): Promise<void> {
  const { nameEnds, restBegins } = await line.evaluate((element, text) => {
    const edges = (from: number, to: number) => {
      const range = document.createRange();
      const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      let at = 0;
      for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
        const length = node.textContent?.length ?? 0;
        if (from >= at && from < at + length) range.setStart(node, from - at);
        if (to > at && to <= at + length) range.setEnd(node, to - at);
        at += length;
      }
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
      return {
        left: Math.min(...boxes.map(({ left }) => left)),
        right: Math.max(...boxes.map(({ right }) => right)),
      };
    };
    const whole = element.textContent ?? '';
    const start = whole.indexOf(text);
    return {
      nameEnds: edges(start, start + text.length).right,
      restBegins: edges(start + text.length, whole.length).left,
    };
  }, name);
  expect(restBegins, `what follows ${name}`).toBeGreaterThanOrEqual(nameEnds - 1);
}
