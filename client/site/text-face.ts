/** Applies the text font on a phone. The first page does without it; by the next page it has been fetched. */
export function showTextFace(): void {
  const style = document.querySelector<HTMLStyleElement>('style[data-faces]');
  if (style) style.media = '';
}
