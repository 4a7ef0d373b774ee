import { expect, type Page, type Request, type Route } from '@playwright/test';

/**
 * How many times, one after the other, a page waits for the API: what is asked for while answers are awaited counts as one
 * with them. Every answer is held back until the page has nothing left to do without it, so that the count does not depend on
 * how fast anything is.
 */
export async function roundTripsOf(page: Page, path: string): Promise<number> {
  const underWay = new Set<Request>();
  const held: Route[] = [];
  const isApi = (url: URL) => url.pathname.startsWith('/api/');
  const hold = (route: Route) => {
    held.push(route);
  };
  const begin = (request: Request) => underWay.add(request);
  const end = (request: Request) => underWay.delete(request);
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await page.route(isApi, hold);

  /** Until the page waits for nothing but what is held back. */
  const settle = async () => {
    do {
      await expect.poll(() => underWay.size - held.length, { intervals: [50] }).toBe(0);
      await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))));
    } while (underWay.size > held.length);
  };

  /** Whether the page says what it is about, and waits for none of it. */
  const isComplete = () =>
    page.evaluate(
      () =>
        document.querySelector('[data-page-title]') !== null &&
        document.querySelector('[aria-busy=true], .mantine-Loader-root') === null,
    );

  await page.goto(path, { waitUntil: 'commit' });
  let trips = 0;
  for (;;) {
    // A page that has nothing to do for a moment may be about to run the code that has just come.
    await expect.poll(async () => held.length > 0 || (await isComplete()), { intervals: [50] }).toBe(true);
    await settle();
    if (held.length === 0) break;
    trips += 1;
    await Promise.all(held.splice(0).map((route) => route.continue()));
  }
  await page.unroute(isApi, hold);
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
  return trips;
}
