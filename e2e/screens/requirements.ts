import type { Page } from '@playwright/test';
import type { Screen } from '../support/screen.ts';

const path = '/app/requirements';

async function toStep(page: Page, step: number): Promise<void> {
  await page.getByRole('textbox', { name: 'Destination' }).fill('Rotterdam');
  await page.getByRole('textbox', { name: 'Start date' }).fill('12/10/2027');
  await page.getByRole('textbox', { name: 'End date' }).fill('20/10/2027');
  for (let current = 1; current < step; current += 1) {
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(`Step ${current + 1} of 4`).waitFor();
  }
}

export const screens: readonly Screen[] = [1, 2, 3, 4].map((step) => ({
  name: `requirements-${step}`,
  path,
  as: 'customer',
  prepare: (page) => toStep(page, step),
}));
