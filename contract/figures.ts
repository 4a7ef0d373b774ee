/**
 * A whole number with a separator between thousands. Without Intl, because the limits in messages are formatted while
 * code loads (see `lazily`).
 */
export function groupThousands(count: number, separator: string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, separator);
}

/** A whole number formatted for people: '12', '1.200'. */
export function figure(count: number): string {
  return groupThousands(count, '.');
}
