import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Without its comments axe is half as long, and there twice as fast. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

type RunOnly = { type: 'tag' | 'rule'; values: string[] };

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Fails unless the page, as it is now, meets every rule of WCAG 2.2 A and AA that axe can judge, and says nothing twice: one
 * live region within another does.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expect(page.locator('[role=status] [role=alert]')).toHaveCount(0);
  await expectNoViolation(page, { type: 'tag', values: wcag22aa });
}

/** The same of the rules that look at colours, for a page whose other scheme has already met them all. */
export async function expectContrast(page: Page): Promise<void> {
  await expectNoViolation(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] });
}

async function expectNoViolation(page: Page, runOnly: RunOnly): Promise<void> {
  // It stays in the document it was once put into: only a new document needs it again.
  const present = await page.evaluate("'axe' in window");
  const { violations } = await new AxeBuilder({ page, axeSource: present ? '0' : AXE })
    .options({ runOnly, resultTypes: ['violations'] })
    // One evaluation, in place of one per frame and a further page to collect them.
    .setLegacyMode()
    .analyze();
  const report = violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    where: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  }));
  expect(report).toEqual([]);
}
