let typed = '';

function keep(event: KeyboardEvent) {
  if (event.key.length > 1 || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  typed += event.key;
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
