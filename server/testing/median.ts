/** The median; of an even number, the higher of the two in the middle. @throws if there are none */
export function median(numbers: readonly number[]): number {
  const middle = numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
  if (middle === undefined) throw new Error('Nothing was measured');
  return middle;
}
