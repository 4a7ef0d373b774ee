import type { Page } from '@playwright/test';
import type { Spectator } from './showcase.ts';

/** A screen in one of its states, for `npm run screenshots`. Files in `e2e/screens/` export lists of them. */
export type Screen = {
  /** Names the picture: kebab-case, the area first ('projects-team-dialog'). */
  name: string;
  path: string;
  as: Spectator;
  /** Set when the screen is the page of an unexpected error. */
  broken?: true;
  /** Brings the open page into the state to be seen. */
  prepare?: (page: Page) => Promise<void>;
  /** Makes the server's answers slow, failing or empty, before the page is opened. */
  arrange?: (page: Page) => Promise<void>;
};

/** Leaves every request to the API below `path` without an answer, so that the loading state stays. */
export function neverAnswer(path: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.route(`**/api/${path}**`, () => {});
  };
}

/** Lets every request to the API below `path` fail, so that the error state appears. */
export function failToAnswer(path: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.route(`**/api/${path}**`, (route) => route.fulfill({ status: 500, json: {} }));
  };
}

/** Answers every write to the API below `path`, so that what follows a press of "send" appears. */
export function answerWrites(
  path: string,
  answer: { status: number; json?: unknown },
): (page: Page) => Promise<void> {
  return async (page) => {
    await page.route(`**/api/${path}**`, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill({ json: {}, ...answer }),
    );
  };
}

/** Waits until a failure is shown, which takes one retry of the read. */
export async function waitForError(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Riprova' }).first().waitFor();
}
