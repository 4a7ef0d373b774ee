import { expect, type Page, type Request, type Route } from '@playwright/test';
import { NOTED_PATH, untilNoted } from './reads.ts';

/**
 * Counts how many times in a row a page waits for the API; parallel requests count as one round trip.
 * Every answer is held back until the page can do nothing more without it, so that the count does not depend on speed.
 */
export async function roundTripsOf(page: Page, path: string): Promise<number> {
  const underWay = new Set<Request>();
  const held: Route[] = [];
  const isApi = (url: URL) => url.pathname.startsWith('/api/');
  const hold = (route: Route) => {
    held.push(route);
  };
  const begin = (request: Request) => {
    if (new URL(request.url()).pathname !== NOTED_PATH) underWay.add(request);
  };
  const end = (request: Request) => underWay.delete(request);
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await page.route(isApi, hold);

  /** Resolves when the page waits only for held-back answers. */
  const settle = async () => {
    do {
      await expect.poll(() => underWay.size - held.length, { intervals: [50] }).toBe(0);
      await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))));
      await untilNoted(page);
    } while (underWay.size > held.length);
  };

  /** Whether the page shows its title and no part of it is loading. */
  const isComplete = () =>
    page.evaluate(
      () =>
        document.querySelector('[data-page-title]') !== null &&
        document.querySelector('[aria-busy=true], .mantine-Loader-root') === null,
    );

  await page.goto(path, { waitUntil: 'commit' });
  let trips = 0;
  for (;;) {
    // A page that is briefly idle may be about to run code that has just arrived.
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
