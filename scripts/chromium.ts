import { existsSync } from 'node:fs';
import { chromium, type LaunchOptions } from '@playwright/test';
import { runProgram } from './parts.ts';

/** Where Debian's package puts the browser. */
const debianChromium = '/usr/bin/chromium';

const isRoot = process.getuid?.() === 0;

/**
 * Features of Chromium to disable. The pop-ups of the address bar are pages loaded for every window, at twice the cost of a page
 * under test. Chromium obeys only the last such list, so it repeats what Playwright disables and matters here.
 */
const withoutFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Prevents background activity that would use the network or slow down the tests. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${withoutFeatures.join(',')}`,
];

/**
 * Launch options for tests and screenshots: Debian's Chromium if installed, otherwise Playwright's.
 *
 * @param further arguments of this use alone
 */
export function chromiumLaunchOptions(further: readonly string[] = []): LaunchOptions {
  // The sandbox does not run as root.
  const args = [...(isRoot ? ['--no-sandbox'] : []), ...quiet, ...further];
  return existsSync(debianChromium) ? { args, executablePath: debianChromium } : { args };
}

/**
 * Installs a browser if there is none: on Debian as root from the distribution, elsewhere with Playwright's installer.
 *
 * @throws {Error} with instructions in one line if no browser could be installed
 */
export async function ensureChromium(): Promise<void> {
  if (isInstalled()) {
    return;
  }
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium from the distribution…');
    await runProgram('apt-get', ['update', '-qq']);
    await runProgram('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      DEBIAN_FRONTEND: 'noninteractive',
    });
  }
  if (!isInstalled()) {
    console.log('Installing Chromium with Playwright…');
    await runProgram('playwright', ['install', 'chromium']);
  }
  if (!isInstalled()) {
    throw new Error(
      'No browser to test with: install Chromium as /usr/bin/chromium, or run "npx playwright install --with-deps chromium"',
    );
  }
}

function isInstalled(): boolean {
  return existsSync(debianChromium) || existsSync(chromium.executablePath());
}
