/// <reference lib="dom" />
/**
 * `npm run bench:app`: how fast the application is for a busy customer, on the demo year. Prints a table, and exits with code 1
 * if something is over its budget.
 *
 * - Largest paint of /app/home with a session, Lighthouse's mobile profile (slow 4G and a processor four times slower,
 *   simulated).
 * - The slowest press of a journey through the application, on a phone with a processor four times slower: from the press to
 *   the next frame (Event Timing, as in INP).
 * - How long a page visited before takes to appear again, at full speed.
 * - How long the slowest twentieth of the frames takes while a list of 2,000 rows is scrolled, at full speed: the browser draws
 *   one every 17 milliseconds, or after 33 when one was dropped.
 *
 * Each press follows as soon as the result of the previous one is visible, even if the page is not complete. With `--rest` it
 * waits until the page is complete.
 *
 * Each figure is the median of `--runs=N` runs (3 by default), because other programs may disturb any of them.
 *
 * The weight of the scripts is measured by `size-limit`, in `npm test`.
 */
import { scheduler } from 'node:timers/promises';
import { type BrowserContext, chromium, type Locator, type Page } from '@playwright/test';
import { figure } from '#contract/figures.ts';
import { freePort } from '#server/db/postmaster.ts';
import { ensureDemoAccounts } from '#server/demo/ensure.ts';
import { seedDemo } from '#server/demo/seed.ts';
import { startTestCluster } from '#server/testing/cluster.ts';
import { median } from '#server/testing/median.ts';
import { startTestServer } from '#server/testing/server.ts';
import { type Press, slowDown, watchPresses } from '../e2e/support/presses.ts';
import { chromiumLaunchOptions, ensureChromium } from '../scripts/chromium.ts';
import { readArguments, requireNumber } from './arguments.ts';
import { numeric, record } from './recordings.ts';

/** In milliseconds. */
const budgets = {
  'LCP of /app/home': 2000,
  'slowest press': 100,
  'visited page': 100,
  'scrolled list': 17,
} as const;
const SLOWDOWN = 4;

const { values: options } = readArguments({
  options: { runs: { type: 'string', default: '3' }, rest: { type: 'boolean', default: false } },
});
const runs = requireNumber('runs', options.runs);

type Measured = { what: keyof typeof budgets; of: string; ms: number };

/** Largest paint of Home on the mobile profile, with the session of `context`. */
async function paintOfHome(context: BrowserContext, origin: string, port: number): Promise<Measured> {
  const cookies = await context.cookies(origin);
  const headers = { Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
  const flags = { port, onlyCategories: ['performance'], extraHeaders: headers };
  const reports = await record(`${origin}/app/home`, runs, flags);
  const paints = reports.map((report) => numeric(report, 'largest-contentful-paint'));
  return { what: 'LCP of /app/home', of: 'mobile profile', ms: median(paints) };
}

/** Waits until nothing more is added to the page, like a user who reads it before the next press. */
async function rest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moment = () => new Promise((resolve) => setTimeout(resolve, 200));
    let elements = 0;
    for (let before = -1; before !== elements; ) {
      before = elements;
      await moment();
      elements = document.querySelectorAll('*').length;
    }
  });
}

/** The slowest press since the last call, in milliseconds; 16 if all were within a frame. */
async function slowestPress(page: Page, noted: Map<string, Press>): Promise<number> {
  // An entry is reported one frame after it ends.
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 200))),
      ),
  );
  const slowest = Math.max(16, ...[...noted.values()].map(({ ms }) => ms));
  noted.clear();
  return slowest;
}

/**
 * Touches the middle of a control and lets the browser respond. A locator's `tap` adds listeners, and waiting for its outcome
 * searches the page: both would be measured.
 */
async function touch(control: Locator): Promise<void> {
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (!box) throw new Error('the control to touch is not on the screen');
  const page = control.page();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 300))));
}

/** The journey of a coordinator on a phone, press by press. */
const journey: readonly { of: string; press: (page: Page) => Promise<void> }[] = [
  { of: 'opening the menu', press: (page) => touch(page.getByRole('button', { name: 'Apri il menu' })) },
  {
    of: 'going to the projects',
    press: async (page) => {
      await touch(page.getByRole('dialog').getByRole('link', { name: 'Progetti e Team' }));
      await page.getByRole('heading', { name: 'Tutti i Progetti' }).waitFor();
    },
  },
  {
    of: 'changing the tab',
    press: async (page) => {
      await touch(page.getByRole('tab', { name: 'Team' }));
      await page.getByRole('heading', { name: 'Team Completo' }).waitFor();
    },
  },
  { of: 'going back to the first tab', press: (page) => touch(page.getByRole('tab', { name: 'Progetti' })) },
  {
    of: 'opening a form',
    press: async (page) => {
      await touch(page.getByRole('button', { name: 'Nuovo Progetto' }));
      await page.getByRole('dialog', { name: 'Crea Nuovo Progetto' }).waitFor();
    },
  },
  {
    of: 'typing into it',
    press: async (page) => {
      await page.getByRole('textbox', { name: 'Nome Progetto' }).pressSequentially('Viadotto', { delay: 80 });
    },
  },
  { of: 'closing it', press: (page) => touch(page.getByRole('button', { name: 'Annulla' })) },
  {
    of: 'going to the invoices',
    press: async (page) => {
      await touch(page.getByRole('button', { name: 'Apri il menu' }));
      await touch(page.getByRole('dialog').getByRole('link', { name: 'Pagamenti e Fatture' }));
      await page.getByRole('heading', { name: 'Fatture Recenti' }).waitFor();
    },
  },
  {
    of: 'listing the invoices',
    press: async (page) => {
      await touch(page.getByRole('tab', { name: 'Fatture' }));
      await page.getByText('25 di', { exact: false }).waitFor();
    },
  },
  {
    of: 'searching them',
    press: async (page) => {
      const found = page.waitForResponse((response) => response.url().includes('search=viadotto'));
      await page.getByRole('searchbox', { name: 'Cerca' }).pressSequentially('viadotto', { delay: 80 });
      await found;
      await page.getByRole('button', { name: 'Cancella la ricerca' }).waitFor();
    },
  },
  {
    of: 'asking to delete one',
    press: (page) => touch(page.getByRole('button', { name: /^Elimina la fattura/ }).first()),
  },
  {
    of: 'leaving it',
    press: (page) => touch(page.getByRole('dialog').getByRole('button', { name: 'Annulla' })),
  },
  {
    of: 'the account menu',
    press: (page) => touch(page.getByRole('button', { name: /^Account di/ })),
  },
];

const EMPTY_PAGE = `<!doctype html><html lang="it"><meta name="viewport" content="width=device-width">
<button onclick="this.textContent += '!'">Premi</button>`;

/** A press on a page with a button and nothing else, which is what the machine takes for any press. */
async function pressOnEmptyPage(context: BrowserContext): Promise<Measured[]> {
  const page = await context.newPage();
  const noted = await watchPresses(page);
  await page.route('**/empty', (route) => route.fulfill({ contentType: 'text/html', body: EMPTY_PAGE }));
  await page.goto('/empty');
  await slowDown(page, SLOWDOWN);
  await touch(page.getByRole('button', { name: 'Premi' }));
  const ms = await slowestPress(page, noted);
  await page.close();
  return [{ what: 'slowest press', of: 'an empty page, for comparison', ms }];
}

/** The slowest press of each step of the journey, on a new page. */
async function presses(context: BrowserContext): Promise<Measured[]> {
  const page = await context.newPage();
  const noted = await watchPresses(page);
  await page.goto('/app/home');
  await page.getByText('Chi è in trasferta oggi').waitFor();
  await slowDown(page, SLOWDOWN);
  const measured: Measured[] = [];
  for (const { of, press } of journey) {
    await press(page);
    measured.push({ what: 'slowest press', of, ms: await slowestPress(page, noted) });
    if (options.rest) await rest(page);
  }
  await page.close();
  return measured;
}

/** From the click on a menu entry to the frame that shows the page's title, for pages visited before. */
async function visitedPages(page: Page): Promise<Measured[]> {
  const pages = ['Progetti e Team', 'Pagamenti e Fatture', 'Supporto 24/7', 'Home'];
  const visit = async (name: string) => {
    const link = page.getByRole('navigation', { name: 'Menu principale' }).getByRole('link', { name });
    if (options.rest) await rest(page);
    return link.evaluate((element, title) => {
      const started = performance.now();
      if (element instanceof HTMLElement) {
        // A real press focuses, too.
        element.focus();
        element.click();
      }
      return new Promise<number>((resolve) => {
        const look = () =>
          document.querySelector('h1')?.textContent === title && !document.querySelector('[aria-busy=true]')
            ? resolve(performance.now() - started)
            : requestAnimationFrame(look);
        look();
      });
    }, name);
  };
  const measured: Measured[] = [];
  for (const name of pages) measured.push({ what: 'visited page', of: name, ms: await visit(name) });
  return measured;
}

const ROWS = 2000;
const WHEEL_STEPS = 60;

/** The slowest twentieth of the frames while the invoices are scrolled, as a table or as cards. */
async function scrolledList(context: BrowserContext, of: string): Promise<Measured[]> {
  const page = await context.newPage();
  await page.route('**/api/invoices?*', async (route) => {
    const response = await route.fetch();
    const { items, ...list } = await response.json();
    const many = Array.from({ length: ROWS }, (_, index) => ({
      ...items[index % items.length],
      number: `${items[index % items.length].number}${index}`,
    }));
    await route.fulfill({ response, json: { ...list, items: many, total: ROWS } });
  });
  await page.goto('/app/pagamenti-fatture?vista=fatture');
  await page.getByText(`${figure(ROWS)} di`, { exact: false }).waitFor();
  await rest(page);
  const times = await page.evaluateHandle(() => {
    const drawn: number[] = [];
    const next = (time: number) => {
      drawn.push(time);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    return drawn;
  });
  await page.mouse.move(300, 500);
  for (let step = 0; step < WHEEL_STEPS; step += 1) {
    await page.mouse.wheel(0, 120);
    await scheduler.wait(30);
  }
  const drawn = await times.jsonValue();
  await page.close();
  const lengths = drawn.slice(1).map((time, index) => time - (drawn[index] ?? 0));
  lengths.sort((one, other) => one - other);
  return [{ what: 'scrolled list', of, ms: lengths[Math.floor(lengths.length * 0.95)] ?? 0 }];
}

/** The median of each measurement over `--runs` runs. */
async function middleOf(measure: () => Promise<Measured[]>): Promise<Measured[]> {
  const all: Measured[][] = [];
  for (let run = 0; run < runs; run += 1) all.push(await measure());
  const [first = []] = all;
  return first.map((measured, step) => ({ ...measured, ms: median(all.map((run) => run[step]?.ms ?? 0)) }));
}

await ensureChromium();
const cluster = await startTestCluster(process.env.DATABASE_URL);
const server = await startTestServer(cluster, { DEMO: 'on' });
await ensureDemoAccounts(server.services);
await seedDemo(server.services);
const port = await freePort();
const launch = chromiumLaunchOptions();
const browser = await chromium.launch({
  ...launch,
  args: [...(launch.args ?? []), `--remote-debugging-port=${port}`],
});
try {
  const open = async (settings: Parameters<typeof browser.newContext>[0]) => {
    const context = await browser.newContext({ baseURL: server.origin, ...settings });
    await context.request.post(`${server.origin}/api/auth/login`, {
      data: { identifier: 'demo', password: 'demo-trasvia', remember: false },
      headers: { Origin: server.origin },
    });
    return context;
  };
  const phone = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const desk = await open({ viewport: { width: 1440, height: 900 } });
  const page = await desk.newPage();
  await page.goto('/app/home');
  await visitedPages(page);
  const measured = [
    await paintOfHome(phone, server.origin, port),
    ...(await middleOf(() => pressOnEmptyPage(phone))),
    ...(await middleOf(() => presses(phone))),
    ...(await middleOf(() => visitedPages(page))),
    ...(await middleOf(() => scrolledList(desk, 'table of 2,000 rows'))),
    ...(await middleOf(() => scrolledList(phone, 'cards of 2,000 rows'))),
  ].map(({ what, of, ms }) => ({ what, of, ms: Math.round(ms), budget: budgets[what] }));
  console.table(measured);
  process.exitCode = measured.every(({ ms, budget }) => ms <= budget) ? 0 : 1;
} finally {
  await browser.close();
  await server.stop();
  await cluster.stop();
}
