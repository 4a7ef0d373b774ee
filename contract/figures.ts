const wholeNumber = new Intl.NumberFormat('it-IT', { useGrouping: 'always' });

/** A whole number formatted for people: '12', '1.200'. */
export function figure(count: number): string {
  return wholeNumber.format(count);
}
