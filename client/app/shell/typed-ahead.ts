let typed = '';

function keep(event: KeyboardEvent) {
  const { key } = event;
  if (key === 'Backspace') typed = typed.slice(0, -1);
  if (key.length > 1 || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  typed += key;
}

const stop = () => removeEventListener('keydown', keep, true);

/**
 * Keeps the letters typed from now on, instead of passing them to the page, for a field that is still to be shown.
 * @returns stops it
 */
export function keepTyped(): () => void {
  typed = '';
  addEventListener('keydown', keep, true);
  return stop;
}

/** The letters kept, once. The next ones go to the field that has the focus. */
export function takeTyped(): string {
  stop();
  const taken = typed;
  typed = '';
  return taken;
}
