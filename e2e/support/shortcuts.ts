import type { Page } from '@playwright/test';
import { drawn } from './frames.ts';

/** Presses a shortcut of the application, once its frame is there and listens for keys, which it does after it is drawn. */
export async function pressShortcut(page: Page, keys: string): Promise<void> {
  await page.getByRole('button', { name: /^Account di/ }).waitFor();
  await drawn(page);
  await page.keyboard.press(keys);
}
