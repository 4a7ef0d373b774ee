/**
 * `npm run screenshots [-- NAME…]`: screenshots of every screen and state, on a phone, a tablet, a small laptop and a desktop,
 * in light and dark, in `screenshots/`. Fails if one breaks a rule of WCAG 2.2 AA that axe can check, or is wider than its
 * window.
 * With names, only the screens whose name contains one of them. The screens are listed in `e2e/screens/`.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, expect } from '@playwright/test';
import { startTestCluster } from '#server/testing/cluster.ts';
import type { TestUser } from '#server/testing/factories.ts';
import { expectAccessible, expectContrast } from '../e2e/support/accessibility.ts';
import { type RunningApp, startApp } from '../e2e/support/app.ts';
import { expectToFit } from '../e2e/support/layout.ts';
import type { Screen } from '../e2e/support/screen.ts';
import { type Spectator, seedShowcase } from '../e2e/support/showcase.ts';
import { chromiumLaunchOptions, ensureChromium } from './chromium.ts';
import { runProgram } from './parts.ts';

const root = join(import.meta.dirname, '..');
const sizes = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
];
const schemes = ['light', 'dark'] as const;

type Shot = { screen: Screen; size: (typeof sizes)[number] };
type Accounts = Record<Exclude<Spectator, 'visitor'>, TestUser>;

async function loadScreens(wanted: readonly string[]): Promise<Screen[]> {
  const folder = join(root, 'e2e/screens');
  const lists = await Promise.all(
    (await readdir(folder)).map(
      async (file): Promise<{ screens: readonly Screen[] }> => import(join(folder, file)),
    ),
  );
  const all = lists.flatMap(({ screens }) => screens);
  return all.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
}

/** Takes a screen in both schemes on the same page, since only the colours differ. */
async function shoot(browser: Browser, app: RunningApp, accounts: Accounts, shot: Shot): Promise<void> {
  const { screen, size } = shot;
  const context = await browser.newContext({
    baseURL: app.origin,
    viewport: size,
    reducedMotion: 'reduce',
    locale: 'it-IT',
    timezoneId: 'Europe/Rome',
    serviceWorkers: 'block',
  });
  try {
    if (screen.as !== 'visitor') {
      await app.signIn(context, accounts[screen.as]);
    }
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    await screen.arrange?.(page);
    // A loading state never becomes idle: its page is complete once loaded.
    await page.goto(screen.path, { waitUntil: screen.arrange ? 'load' : 'networkidle' });
    // Not by its role: a dialog that opens with the page hides its title from screen readers.
    await page.locator('h1').first().waitFor();
    await screen.prepare?.(page);
    if (!screen.arrange) await expect(page.locator('[aria-busy=true]')).toHaveCount(0, { timeout: 10_000 });
    // Nothing scrolls here, so images that load when near must be loaded explicitly.
    await page.evaluate(`Promise.all([...document.images].map((image) => {
      image.loading = 'eager';
      return image.decode().catch(() => {});
    }))`);
    const failure = page.getByRole('heading', { name: 'Unexpected Application Error!' });
    await expect(failure).toHaveCount(screen.broken ? 1 : 0);
    await page.evaluate('document.fonts.ready');
    // A full-page screenshot shows sticky elements at the scroll position.
    await page.evaluate('scrollTo(0, 0)');
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      const path = join(root, 'screenshots', `${screen.name}-${size.width}-${scheme}.png`);
      await page.screenshot({ path, fullPage: true, animations: 'disabled' });
      await (scheme === schemes[0] ? expectAccessible : expectContrast)(page);
    }
    await expectToFit(page);
  } finally {
    await context.close();
  }
}

const screens = await loadScreens(process.argv.slice(2));
if (screens.length === 0) {
  console.error('No screen matches these names');
  process.exit(1);
}
await ensureChromium();
if ((await runProgram('node', ['scripts/bootstrap.js', 'build'])) !== 0) {
  process.exit(1);
}
await mkdir(join(root, 'screenshots'), { recursive: true });

const cluster = await startTestCluster(process.env.DATABASE_URL);
const app = await startApp(cluster);
const browser = await chromium.launch(chromiumLaunchOptions());
const accounts = await seedShowcase(app.make);
const shots = screens.flatMap((screen) => sizes.map((size): Shot => ({ screen, size }))).values();
let failures = 0;
const photographer = async () => {
  for (const shot of shots) {
    const name = `${shot.screen.name}, ${shot.size.width} px`;
    await shoot(browser, app, accounts, shot).then(
      () => console.log(`✓ ${name}`),
      (error: unknown) => {
        failures += 1;
        console.error(`✗ ${name}: ${error instanceof Error ? error.message : error}`);
      },
    );
  }
};
await Promise.all([photographer(), photographer()]);
await browser.close();
await app.stop();
await cluster.stop();
process.exitCode = failures === 0 ? 0 : 1;
