/*
 * The only script of a public page before the first interaction. The HTML is complete by itself, so React is fetched
 * when the page is idle and starts at the first sign of use: hydration never competes with the first paint, and
 * visitors who only read never pay for it. A page made for interaction, such as the login, starts as soon as it is
 * idle, and a form that is sent before is sent again until the page takes it.
 * A page that the browser has translated meanwhile stays without React, which would write it anew in Italian, without
 * what was typed. It works by itself, unless it is made for interaction or the browser cannot open the menu without scripts.
 * On a phone the text font is fetched after the first paint, for the next page, so that text does not change while it
 * is read.
 * `scripts/postbuild.ts` puts this script into the head of each page, with the attributes it reads. It blocks
 * rendering, so that no touch comes before it and the fonts are known at the first paint.
 */
import { whenIdle } from '#client/lib/idle.ts';
import { showTextFace } from './text-face.ts';

const script = document.querySelector<HTMLScriptElement>('script[data-start]');
const { start, modules = '', whenIdle: startsByItself } = script?.dataset ?? {};
const signs = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'focusin'] as const;

function fetchTextFace() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[as=font][media]')) link.media = '';
}

/**
 * Whether the visitor comes from another page of the site, which has already requested the font: then no text changes.
 */
function comesFromHere(): boolean {
  return document.referrer.startsWith(`${location.origin}/`);
}

/**
 * Once for each sign: what is done already is not done again. Some translators put `<font>` elements around words, others tell
 * their language.
 */
function wake() {
  // Styles of elements that only scripts can show, such as toasts.
  for (const sheet of document.querySelectorAll<HTMLLinkElement>('link[data-late]')) sheet.disabled = false;
  const waits =
    startsByItself === undefined &&
    'command' in HTMLButtonElement.prototype &&
    document.querySelector('font,html:not([lang=it])');
  if (start && !waits) import(/* @vite-ignore */ start);
}

/** Fetched one by one: all at once would be a noticeably long task. */
function fetchAhead([href, ...others]: string[]) {
  if (!href) return;
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = href;
  link.fetchPriority = 'low';
  document.head.append(link);
  whenIdle(() => fetchAhead(others));
}

const painted = new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
});
const loaded = new Promise((resolve) => addEventListener('load', resolve));

for (const sign of signs) addEventListener(sign, wake, { once: true, passive: true });
// A form that the page does not take yet is sent again.
addEventListener('submit', ({ target, defaultPrevented }) => {
  if (startsByItself === undefined || defaultPrevented) return;
  setTimeout(() => (target as HTMLFormElement).requestSubmit(), 99);
});
if (comesFromHere()) showTextFace();
else painted.then(fetchTextFace);
painted
  .then(() => loaded)
  .then(() => whenIdle(() => (startsByItself === undefined ? fetchAhead(modules.split(' ')) : wake())));
