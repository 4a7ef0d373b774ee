import type { Page } from '@playwright/test';
import { until } from '#server/testing/until.ts';
import type { RunningApp } from './app.ts';

/** A PNG of one pixel. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** What `pattern` matches in the newest mail to `address`. */
export function mailed(app: RunningApp, address: string, pattern: RegExp): Promise<string> {
  return until(`a mail to ${address}`, async () => {
    const messages = await app.mailbox.messages();
    const texts = messages.filter(({ to }) => to?.some((one) => one.address === address));
    return pattern.exec(texts.at(-1)?.text ?? '')?.[0];
  });
}

/** The live region of the login screen. A screen reader announces only what appears in a region that was already there. */
export async function markNotices(page: Page) {
  await page
    .getByRole('main')
    .getByRole('status')
    .evaluate((region) => region.setAttribute('data-marked', ''));
  return page.locator('[data-marked]');
}

/** Opens the login and logs in with an email address or a user name. */
export async function logIn(page: Page, identifier: string, password: string, remember = false) {
  await page.bringToFront();
  await page.goto('/login');
  await page.getByLabel('Email o username').fill(identifier);
  await page.getByLabel('Password', { exact: true }).fill(password);
  if (remember) await page.getByLabel('Ricordami per 30 giorni').check();
  await page.getByRole('button', { name: 'Accedi', exact: true }).click();
}
