import type { Locator, Page } from '@playwright/test';
import { drawn } from './frames.ts';

/** Pause between two letters, in milliseconds: that of a very fast typist. */
const LETTER_MS = 60;

const handled = new WeakSet<object>();

/**
 * Makes every press and letter of the journeys come as from a person, so that its time is the page's alone. Playwright moves the
 * pointer and presses within one frame, checks in the page, while the page handles the press, what lies under the pointer, and
 * types a whole text at once, so that the last letter waits for all others. Here the pointer arrives and rests before the press.
 */
export function simulateHumanInput(page: Page): void {
  const type = page.keyboard.type.bind(page.keyboard);
  page.keyboard.type = (text) => type(text, { delay: LETTER_MS });

  const locator: Locator = Object.getPrototypeOf(page.locator('html'));
  if (handled.has(locator)) return;
  handled.add(locator);
  const { click, pressSequentially } = locator;
  locator.click = async function (this: Locator, options) {
    // Waits until it can be pressed, as a person does; hovering alone would not wait for a disabled button.
    await click.call(this, { ...options, trial: true });
    if (options?.trial) return;
    await this.hover(options);
    // Until the page has drawn what it shows under the pointer.
    await drawn(this.page());
    await this.page().mouse.down();
    await this.page().mouse.up();
  };
  locator.check = async function (this: Locator) {
    if (!(await this.isChecked())) await this.click();
  };
  locator.uncheck = async function (this: Locator) {
    if (await this.isChecked()) await this.click();
  };
  locator.pressSequentially = function (this: Locator, text) {
    return pressSequentially.call(this, text, { delay: LETTER_MS });
  };
}
