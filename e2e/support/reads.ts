import { expect, type Page, type Request } from '@playwright/test';

/** The path that `untilNoted` asks for. */
export const NOTED_PATH = '/healthz';

/** Waits until Playwright has told of every request that `page` has made by now: those of a page are told in their order. */
export async function untilNoted(page: Page): Promise<void> {
  await page.evaluate(async (path) => (await fetch(path)).text(), NOTED_PATH);
}

/**
 * Notes what `page` asks of the API from now on.
 * @returns waits until everything asked so far is answered
 */
export function watchReads(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  const end = (request: Request) => pending.delete(request);
  page
    .on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) pending.add(request);
    })
    .on('response', (response) => end(response.request()))
    .on('requestfailed', end);
  return async () => {
    await untilNoted(page);
    await expect.poll(() => pending.size, 'requests without an answer').toBe(0);
  };
}
