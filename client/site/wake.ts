/*
 * The only script of a public page before it is touched. The HTML is complete by itself, so React is fetched when the
 * page is idle and starts at the first sign of use: hydration never competes with the first paint, and a visitor who
 * only reads never pays for it. A page that is there to be used, such as the login, starts as soon as it is idle.
 * On a phone the face of text is asked for after the first paint, for the next page: what somebody reads does not change
 * under their eyes.
 * `scripts/postbuild.ts` puts it into the head of each page, with the attributes it reads. The page waits for it: a touch is
 * never too early for it, and the faces are known at the first paint.
 */
import { whenIdle } from '#client/lib/idle.ts';
import { showTextFace } from './text-face.ts';

const script = document.querySelector<HTMLScriptElement>('script[data-start]');
const { start, modules = '', whenIdle: startsByItself } = script?.dataset ?? {};
const signs = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'focusin'] as const;

function fetchTextFace() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[as=font][media]')) link.media = '';
}

/** Whether another page of the site was there before: it has asked for the face, and it does not change. */
function comesFromHere(): boolean {
  return document.referrer.startsWith(`${location.origin}/`);
}

function wake() {
  for (const sign of signs) removeEventListener(sign, wake);
  // The style of what only a script can show, such as a toast.
  for (const sheet of document.querySelectorAll<HTMLLinkElement>('link[data-late]')) sheet.disabled = false;
  if (start) import(/* @vite-ignore */ start);
}

/** One at a time: all at once they would be a task long enough to be felt. */
function fetchAhead([href, ...others]: string[]) {
  if (!href) return;
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = href;
  link.fetchPriority = 'low';
  document.head.append(link);
  whenIdle(() => fetchAhead(others));
}

const painted = new Promise<void>((resolve) => {
  new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true });
});
const loaded = new Promise<void>((resolve) => {
  if (document.readyState === 'complete') resolve();
  else addEventListener('load', () => resolve(), { once: true });
});

for (const sign of signs) addEventListener(sign, wake, { passive: true });
if (comesFromHere()) showTextFace();
else painted.then(fetchTextFace);
Promise.all([painted, loaded]).then(() =>
  whenIdle(() => (startsByItself === undefined ? fetchAhead(modules.split(' ')) : wake())),
);
