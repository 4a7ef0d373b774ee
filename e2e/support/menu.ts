import type { Page } from '@playwright/test';

/** The side menu; opens the drawer first where it is one. */
export async function openMenu(page: Page) {
  const opener = page.getByRole('button', { name: 'Apri il menu' });
  if (await opener.isVisible()) await opener.click();
  return page.getByRole('navigation', { name: 'Menu principale' });
}
