/*
 * The only script of a public page before it is touched. The HTML is complete by itself, so React is fetched when the
 * page is idle and starts at the first sign of use: hydration never competes with the first paint, and a visitor who
 * only reads never pays for it. A page that is there to be used, such as the login, starts as soon as it is idle.
 * `scripts/postbuild.ts` compiles this file and writes the attributes it reads.
 */
const { start, modules = '', whenIdle: startsByItself } = document.currentScript?.dataset ?? {};
const signs = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'focusin'] as const;

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

for (const sign of signs) addEventListener(sign, wake, { passive: true });
addEventListener('load', () => {
  // Safari has no requestIdleCallback.
  const whenIdle = globalThis.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 200));
  whenIdle(startsByItself === undefined ? fetchAhead : wake);
});
