/**
 * The style that the HTML of a page carries for its first paint, in kilobytes; style for other windows than the one that asks
 * (with `media`) and for browsers without scripts is not part of it. The budget is 20 kB for a public page.
 */
export function criticalCssKb(html: string): number {
  const styles = [...html.replace(/<noscript>.*?<\/noscript>/gs, '').matchAll(/<style>(.*?)<\/style>/gs)];
  return styles.reduce((sum, [, css = '']) => sum + css.length, 0) / 1000;
}
