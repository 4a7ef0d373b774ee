import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Fails unless the page, as it is now, meets every rule of WCAG 2.2 A and AA that axe can judge. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: { type: 'tag', values: wcag22aa }, resultTypes: ['violations'] })
    // One evaluation, in place of one per frame and a further page to collect them.
    .setLegacyMode()
    .analyze();
  const report = violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    where: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  }));
  expect(report).toEqual([]);
}
