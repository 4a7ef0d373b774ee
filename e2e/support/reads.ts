import { expect, type Page, type Request } from '@playwright/test';

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
    // When this is answered, every earlier request has been noted.
    await page.evaluate(async () => (await fetch('/healthz')).text());
    await expect.poll(() => pending.size, 'requests without an answer').toBe(0);
  };
}
