/** Shows the face of text on a phone, whose first page is spared it; by the next page it has come. */
export function showTextFace(): void {
  const style = document.querySelector<HTMLStyleElement>('style[data-faces]');
  if (style) style.media = '';
}
