/*
 * The only script of a public page before it is touched. The HTML is complete by itself, so React is fetched when the
 * page is idle and starts at the first sign of use: hydration never competes with the first paint, and a visitor who
 * only reads never pays for it. A page that is there to be used, such as the login, starts as soon as it is idle.
 * The faces are asked for after the first paint; a visitor who comes again has them, and sees nothing else.
 * `scripts/postbuild.ts` compiles this file and writes the attributes it reads.
 */
const script = document.querySelector<HTMLScriptElement>('script[data-start]');
const { start, modules = '', whenIdle: startsByItself } = script?.dataset ?? {};
const signs = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'focusin'] as const;

function showFaces() {
  for (const faces of document.querySelectorAll<HTMLStyleElement>('style[data-faces]')) faces.media = '';
}

/** Whether this script came from the cache, where it lies beside the faces. */
function isKnownHere(): boolean {
  const [entry] = performance.getEntriesByName(script?.src ?? '');
  return entry instanceof PerformanceResourceTiming && entry.transferSize === 0;
}

function wake() {
  for (const sign of signs) removeEventListener(sign, wake);
  // The style of what only a script can show, such as a toast.
  for (const sheet of document.querySelectorAll<HTMLLinkElement>('link[data-late]')) sheet.disabled = false;
  if (start) import(/* @vite-ignore */ start);
}

function fetchAhead() {
  for (const href of modules.split(' ')) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = href;
    link.fetchPriority = 'low';
    document.head.append(link);
  }
}

const painted = new Promise<void>((resolve) => {
  new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true });
});
const loaded = new Promise<void>((resolve) => {
  if (document.readyState === 'complete') resolve();
  else addEventListener('load', () => resolve(), { once: true });
});
// Safari has no requestIdleCallback.
const whenIdle = globalThis.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 200));

for (const sign of signs) addEventListener(sign, wake, { passive: true });
if (isKnownHere()) showFaces();
else painted.then(showFaces);
Promise.all([painted, loaded]).then(() => whenIdle(startsByItself === undefined ? fetchAhead : wake));
