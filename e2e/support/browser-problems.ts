import type { Browser, BrowserContext, ConsoleMessage, Page, Request, WebError } from '@playwright/test';

/** Collects what no page may cause: console errors, uncaught errors, requests to another origin. */
export type BrowserProblems = {
  /** Watches every page of `context`, including later ones, until the returned function is called. */
  watch(context: BrowserContext): () => void;
  /** Announces an error that the test provokes, such as the browser's message about a refused login. */
  expect(problem: RegExp): void;
  /** Problems that were not announced, and announced ones that never came. */
  remaining(): string[];
};

/**
 * A new window whose pages write what their content security policy refused to the console. Chromium itself says nothing of
 * a script that takes a refusal as an answer; Firefox and Safari show an error.
 */
export async function openWindow(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      console.error(`refused by ${effectiveDirective}: ${blockedURI}`);
    });
  });
  return context.newPage();
}

/** @param origin the only origin that pages may talk to */
export function collectBrowserProblems(origin: string): BrowserProblems {
  const found: string[] = [];
  const expected: RegExp[] = [];
  return {
    watch(context) {
      const onConsole = (message: ConsoleMessage) => {
        if (message.type() === 'error') {
          found.push(`console: ${message.text()} (${message.location().url})`);
        }
      };
      const onError = (error: WebError) => {
        found.push(`uncaught: ${error.error().stack ?? error.error().message}`);
      };
      const onRequest = (request: Request) => {
        const url = new URL(request.url());
        if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== origin) {
          found.push(`request to another origin: ${request.url()}`);
        }
      };
      context.on('console', onConsole).on('weberror', onError).on('request', onRequest);
      return () => {
        context.off('console', onConsole).off('weberror', onError).off('request', onRequest);
      };
    },
    expect(problem) {
      expected.push(problem);
    },
    remaining() {
      const unannounced = found.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
      const missing = expected.filter((pattern) => !found.some((problem) => pattern.test(problem)));
      return [...unannounced, ...missing.map((pattern) => `announced, but never seen: ${pattern}`)];
    },
  };
}
