import type { Page, Route } from '@playwright/test';

/**
 * Handles the next write to the API at `path` with `answer`. The route stays until the page closes: requests made while
 * the browser removes a route may never be answered.
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
