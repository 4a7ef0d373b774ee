import type { Page, Route } from '@playwright/test';

/**
 * Answers the next request to the API at `path` that is no reading, as a server in trouble would. The page stays
 * watched to its end: what it asks for while the browser stops watching may never be answered.
 */
export async function answerOnce(
  page: Page,
  path: string,
  answer: (route: Route) => Promise<void>,
): Promise<void> {
  let answered = false;
  await page.route(`**/api/${path}`, (route) => {
    if (answered || route.request().method() === 'GET') return route.fallback();
    answered = true;
    return answer(route);
  });
}
