/**
 * What somebody named to be measured, or nothing measured at all: an unknown name ends the process with code 1 and one line.
 * @param what of which kind the names are, for that line
 */
export function requireKnown<Name extends string>(
  what: string,
  known: readonly Name[],
  named: readonly string[],
): Name[] {
  const unknown = named.filter((name) => !known.some((one) => one === name));
  if (unknown.length > 0) {
    console.error(`there is no ${what} "${unknown.join('", "')}": name some of ${known.join(', ')}`);
    process.exit(1);
  }
  return known.filter((name) => named.includes(name));
}
