import type { Page } from '@playwright/test';
import { ERRORS } from '#contract/errors.ts';
import type { Spectator } from './showcase.ts';

/** A screen in one of its states, for `npm run screenshots`. Files in `e2e/screens/` export lists of them. */
export type Screen = {
  /** Names the picture: kebab-case, the area first ('projects-team-dialog'). */
  name: string;
  path: string;
  as: Spectator;
  /** Set when the screen is the page of an unexpected error. */
  broken?: true;
  /** Brings the open page into the state to show. */
  prepare?: (page: Page) => Promise<void>;
  /** Replaces answers of the server before the page is opened. */
  arrange?: (page: Page) => Promise<void>;
};

/** Never answers requests to the API below `path`, so that the loading state stays. */
export function leaveUnanswered(path: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.route(`**/api/${path}**`, () => {});
  };
}

/** Fails every request to the API below `path`, so that the error state appears. */
export function failToAnswer(path: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.route(`**/api/${path}**`, (route) => route.fulfill({ status: 500, json: {} }));
  };
}

/** Answers every write to the API below `path`, to show what follows a submit. */
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

/**
 * A refusal with `code`, in the error format of the server.
 * @param current the record as saved by somebody else, for a conflict
 */
export function refusal(code: keyof typeof ERRORS, current?: unknown): { status: number; json: unknown } {
  const { status, message } = ERRORS[code];
  return { status, json: { error: { code, message, requestId: 'x7Kd02' }, current } };
}

/** Waits until the error state is shown, after one retry of the read. */
export async function waitForError(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Riprova' }).first().waitFor();
}
