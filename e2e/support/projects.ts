import type { Page } from '@playwright/test';

/** Address of the projects and the team. */
export const PROJECTS_PATH = '/app/progetti-team';

/** Opens the dialog that creates a project. */
export async function openNewProject(page: Page) {
  await page.goto(PROJECTS_PATH);
  await page.getByRole('button', { name: 'Nuovo Progetto' }).click();
  return page.getByRole('dialog', { name: 'Crea Nuovo Progetto' });
}

/** Opens the dialog that imports a list of people into the team. */
export async function openCrewImport(page: Page) {
  await page.goto(`${PROJECTS_PATH}?tab=team`);
  await page.getByRole('button', { name: 'Importa elenco' }).click();
  return page.getByRole('dialog', { name: 'Importa elenco del personale' });
}
