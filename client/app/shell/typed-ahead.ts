let typed = '';
let giveUp = () => {};

function keep(event: KeyboardEvent) {
  const { key } = event;
  if (key === 'Escape') return giveUp();
  if (key === 'Backspace') typed = typed.slice(0, -1);
  if (key.length > 1 || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  typed += key;
}

function keepPasted(event: ClipboardEvent) {
  event.preventDefault();
  typed += (event.clipboardData?.getData('text/plain') ?? '').replace(/\s+/g, ' ');
}

function stop() {
  removeEventListener('keydown', keep, true);
  removeEventListener('paste', keepPasted, true);
}

/**
 * Keeps what is typed or pasted from now on, instead of passing it to the page, for a field that is still to be shown.
 * @param onEscape called when the user no longer wants that field
 * @returns stops it
 */
export function keepTyped(onEscape: () => void): () => void {
  typed = '';
  giveUp = onEscape;
  addEventListener('keydown', keep, true);
  addEventListener('paste', keepPasted, true);
  return stop;
}

/** What was kept, once. The next ones go to the field that has the focus. */
export function takeTyped(): string {
  stop();
  const taken = typed;
  typed = '';
  return taken;
}
