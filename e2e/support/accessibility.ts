import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** axe without its comments: half as long, and injected twice as fast. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

type RunOnly = { type: 'tag' | 'rule'; values: string[] };

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Fails unless the page, in its current state, meets every rule of WCAG 2.2 A and AA that axe checks, no live region is
 * nested in another, which would be read twice, no dialog is described by its fields or list, which would be read whole
 * when it opens, or has a banner of its own, no icon of a menu is read, what is marked as required is said to be,
 * nothing is invalid only because it is still empty, as Firefox says of `required`, no level of headings is left out, and
 * the page as a whole cannot be clicked, which is said of every title and dialog in it.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expect(page.locator('[role=status] [role=alert]')).toHaveCount(0);
  const described = await page
    .locator('[role=dialog]')
    .evaluateAll((dialogs) =>
      dialogs.flatMap((dialog) =>
        [...dialog.querySelectorAll(`[id="${dialog.getAttribute('aria-describedby')}"]`)]
          .filter((description) =>
            description.querySelector('input, select, textarea, li, table, [role=option]'),
          )
          .map(() => dialog.textContent),
      ),
    );
  expect(described, 'dialogs described by their content').toEqual([]);
  await expect(page.locator('[role=dialog] header:not([role])'), 'a second banner').toHaveCount(0);
  await expect(page.locator('[role=menuitem] svg:not([aria-hidden=true])'), 'pictures in a menu').toHaveCount(
    0,
  );
  const starred = await page
    .locator('label:has(.mantine-InputWrapper-required)')
    .evaluateAll((labels: HTMLLabelElement[]) =>
      labels
        .filter(({ control }) => control !== null && !control.matches(':required, [aria-required=true]'))
        .map(({ textContent }) => textContent),
    );
  expect(starred, 'fields that only look required').toEqual([]);
  await expect(page.locator(':invalid:not(form, fieldset, [aria-invalid])'), 'said to be wrong').toHaveCount(
    0,
  );
  expect(await page.evaluate(() => document.body.onclick === null), 'a page that is no button').toBe(true);
  await expectNoViolation(page, { type: 'tag', values: wcag22aa }, { 'heading-order': { enabled: true } });
}

/** Checks the rules on colours only, for a page that was fully checked in the other scheme. */
export async function expectContrast(page: Page): Promise<void> {
  await expectNoViolation(page, { type: 'rule', values: ['color-contrast', 'link-in-text-block'] });
}

async function expectNoViolation(page: Page, runOnly: RunOnly, rules = {}): Promise<void> {
  // Once injected, axe stays in the document.
  const present = await page.evaluate("'axe' in window");
  const { violations } = await new AxeBuilder({ page, axeSource: present ? '0' : AXE })
    .options({ runOnly, rules, resultTypes: ['violations'] })
    // One evaluation; otherwise axe evaluates each frame and opens a page to collect the results.
    .setLegacyMode()
    .analyze();
  const report = violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    where: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  }));
  expect(report).toEqual([]);
}
