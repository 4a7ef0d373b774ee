/*
 * The first script of Home's document. The application's code is kept in a template and only requested after the first
 * paint, so that it does not compete with it. `scripts/postbuild.ts` compiles this file.
 */
const code = document.querySelector<HTMLTemplateElement>('#application-code');

function fetchCode() {
  if (code) document.head.append(code.content);
}

// A page opened in the background is not painted.
if (document.visibilityState === 'hidden') fetchCode();
else {
  new PerformanceObserver((_, observer) => {
    observer.disconnect();
    fetchCode();
  }).observe({ type: 'paint', buffered: true });
}
