/*
 * The first script of Home's document, which says what the page is before it works: the code of the application, kept in a
 * template until then, is asked for once that has been painted, so that it does not compete with it.
 * `scripts/postbuild.ts` compiles this file.
 */
const code = document.querySelector<HTMLTemplateElement>('#application-code');

function fetchCode() {
  if (code) document.head.append(code.content);
}

// Nothing is painted of a page that is opened in the background.
if (document.visibilityState === 'hidden') fetchCode();
else {
  new PerformanceObserver((_, observer) => {
    observer.disconnect();
    fetchCode();
  }).observe({ type: 'paint', buffered: true });
}
