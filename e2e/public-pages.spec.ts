import { publicPaths } from '#client/site/paths.ts';
import { expectAccessible } from './support/accessibility.ts';
import { expectToFit } from './support/layout.ts';
import { expect, test } from './support/test.ts';

for (const path of publicPaths) {
  test(`${path} has one main heading, is accessible and fits the screen`, async ({ page }) => {
    const response = await page.goto(path);
    expect(response?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expectAccessible(page);
    await expectToFit(page);
  });
}

test('an unknown path is told as such, with a way back', async ({ page, problems }) => {
  problems.expect(/status of 404/);
  const response = await page.goto('/percorso-che-non-esiste');
  expect(response?.status()).toBe(404);
  await expect(page.getByText('Oops! Page not found')).toBeVisible();
  await expectAccessible(page);
});
