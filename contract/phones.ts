/** Formats an Italian E.164 number in groups for reading aloud: '+39 02 0000 0000', '+39 300 000 0000'. */
export function spokenPhone(number: string): string {
  const local = number.replace(/^\+39/, '');
  const area = local.startsWith('02') || local.startsWith('06') ? 2 : 3;
  const rest = local.slice(area).replace(/(\d{3,4})(?=\d{4}$)/, '$1 ');
  return `+39 ${local.slice(0, area)} ${rest}`;
}

/** A number as people write it. A mark with a blank on both sides stands between two of them. */
const NUMBER = /(\+?\(?\d(?:(?:[().\-/]|\s(?![-/]\s))*\d)*)/;

/** Fewer digits are an extension, more are no number (E.164). */
const DIGITS = { least: 6, most: 15 };

/**
 * The parts of a phone field, in which people write several numbers, extensions and remarks.
 * @returns each with its `tel:` address; null for what cannot be dialled
 */
export function phoneParts(text: string): { text: string; href: string | null }[] {
  return text
    .split(NUMBER)
    .filter((part) => part !== '')
    .map((part) => {
      const dialled = part.replace(/[^+\d]/g, '');
      const digits = dialled.replaceAll('+', '').length;
      const isNumber = digits >= DIGITS.least && digits <= DIGITS.most;
      return { text: part, href: isNumber ? `tel:${dialled}` : null };
    });
}
