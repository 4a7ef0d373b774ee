/** The middle one of several measurements of the same thing; of an even number the higher one. @throws without any */
export function median(numbers: readonly number[]): number {
  const middle = numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
  if (middle === undefined) throw new Error('Nothing was measured');
  return middle;
}
