import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Ends the process with code 1 and one line, before anything is measured. */
function refuse(line: string): never {
  console.error(line);
  process.exit(1);
}

/** The command line as `parseArgs` reads it; an unknown option ends the process with code 1 and one line. */
export function readArguments<Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs(config);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/**
 * The names given on the command line, all of them known: an unknown one ends the process with code 1 and one line.
 * @param what what the line calls the names
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
 * The value of an option, a number above 0; anything else ends the process with code 1 and one line.
 * @param option its name in that line
 */
export function requireNumber(option: string, text: string): number {
  const number = Number(text);
  return number > 0 && Number.isFinite(number) ? number : refuse(`--${option} is a number, not "${text}"`);
}
