import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Ends the process with code 1 and one line, before anything is measured. */
function refuse(line: string): never {
  console.error(line);
  process.exit(1);
}

/** What a measurement was told, as `parseArgs` reads it: what it does not know ends the process with code 1 and one line. */
export function readArguments<Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

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
    refuse(`there is no ${what} "${unknown.join('", "')}": name some of "${known.join('", "')}"`);
  }
  return known.filter((name) => named.includes(name));
}

/**
 * The number more than 0 that an option gives; anything else ends the process with code 1 and one line.
 * @param option what it is called, for that line
 */
export function requireNumber(option: string, text: string): number {
  const number = Number(text);
  return number > 0 && Number.isFinite(number) ? number : refuse(`--${option} is a number, not "${text}"`);
}
