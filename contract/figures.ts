const wholeNumber = new Intl.NumberFormat('it-IT', { useGrouping: 'always' });

/** '12', '1.200': a whole number as people read it. */
export function figure(count: number): string {
  return wholeNumber.format(count);
}
