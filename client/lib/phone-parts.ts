/** What stands between two numbers, or between a number and what is written beside it. */
const APART = /(\s[/-]\s|[^\d\s+().\-/]+)/;

/** Fewer digits are an extension, more are no number (E.164). */
const DIGITS = { least: 6, most: 15 };

/**
 * The parts of a phone field, in which people write several numbers, extensions and remarks.
 * @returns each with its `tel:` address; null for what cannot be dialled
 */
export function phoneParts(text: string): { text: string; href: string | null }[] {
  return text
    .split(APART)
    .filter((part) => part !== '')
    .map((part) => {
      const dialled = part.replace(/[^+\d]/g, '');
      const digits = dialled.replaceAll('+', '').length;
      const isNumber = /^\+?\d+$/.test(dialled) && digits >= DIGITS.least && digits <= DIGITS.most;
      return { text: part, href: isNumber ? `tel:${dialled}` : null };
    });
}
