import type { Page } from '@playwright/test';

/** Address of the projects and the team. */
export const PROJECTS_PATH = '/app/progetti-team';

/** Opens the dialog that creates a project. */
export async function openNewProject(page: Page) {
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  return page.getByRole('dialog', { name: 'Crea Nuovo Progetto' });
}
