import { expect, type Page } from '@playwright/test';

/** The side menu; opens the drawer first where it is one. */
export async function openMenu(page: Page) {
  const opener = page.getByRole('button', { name: 'Apri il menu' });
  const menu = page.getByRole('navigation', { name: 'Menu principale' });
  // Which of them there is cannot be told before the page is rendered.
  await expect(opener.or(menu).first()).toBeVisible();
  if (await opener.isVisible()) await opener.click();
  return menu;
}
