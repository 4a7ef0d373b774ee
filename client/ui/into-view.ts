/** As the ref of a message that appears: scrolls it into sight, since what was pressed may be far from it. */
export function intoView(message: HTMLElement | null): void {
  message?.scrollIntoView({ block: 'nearest' });
}
