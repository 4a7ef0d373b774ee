import { z } from 'zod';
import it from 'zod/v4/locales/it.js';
import { figure } from './figures.ts';

const italian = it().localeError;

const NUMBERS: ReadonlySet<string> = new Set(['number', 'int', 'bigint']);

/**
 * Written without being seen: control characters, zero-width ones, and those that turn the direction of what follows; halves of
 * a character, which PostgreSQL refuses within JSON.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/** `text` trimmed and without what nobody sees, which would make an empty name or turn the sentence around it; lines stay lines. */
export const readable = (text: string) =>
  text.replace(UNSEEN, (character) => (/[\n\t]/.test(character) ? character : '')).trim();

/**
 * The Zod every contract file uses: with Italian texts, because the messages are shown to people as they are.
 * A missing value reads 'Campo obbligatorio', and others say what is wrong instead of the locale's names of types.
 */
z.config({
  localeError: (issue) => {
    const given = issue.input !== undefined && issue.input !== null;
    if (!given && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
      return 'Campo obbligatorio';
    if (issue.code === 'unrecognized_keys') return `Campo non previsto: ${issue.keys.join(', ')}`;
    if (issue.code === 'invalid_type' || issue.code === 'invalid_format') return 'Valore non valido';
    if (issue.code === 'invalid_value') return 'Scelta non valida';
    if (issue.code === 'too_big' && NUMBERS.has(issue.origin))
      return `Al massimo ${figure(Number(issue.maximum))}`;
    if (issue.code === 'too_small' && NUMBERS.has(issue.origin)) return `Almeno ${issue.minimum}`;
    return italian(issue);
  },
});

/**
 * Trimmed text of 1 to `max` characters, without any that cannot be seen.
 * @param missing the message when it is absent or blank
 */
export function requiredText(missing: string, max: number) {
  return z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? missing : undefined) })
    .overwrite(readable)
    .min(1, missing)
    .max(max, `Al massimo ${figure(max)} caratteri`);
}

/**
 * A name, as `requiredText` but on one line: it stands in the midst of sentences, in mail as well, and must not look like a
 * text of its own there.
 */
export function requiredName(missing: string, max: number) {
  return requiredText(missing, max).overwrite((name) => name.replace(/\s+/g, ' '));
}

/** Trimmed text of at most `max` characters, without any that cannot be seen; blank and absent read as null. */
export function optionalText(max: number) {
  return z
    .string()
    .overwrite(readable)
    .max(max, `Al massimo ${figure(max)} caratteri`)
    .nullish()
    .transform((text) => text || null);
}

/** In characters (RFC 5321). */
const MAX_EMAIL_LENGTH = 254;
const WRONG_EMAIL = 'Indirizzo email non valido';

/**
 * An e-mail address, trimmed and in lower case.
 * @param missing the message when it is absent or blank
 * @param wrong the message when it is no address
 */
export function emailAddress(missing: string, wrong = WRONG_EMAIL) {
  return requiredText(missing, MAX_EMAIL_LENGTH).toLowerCase().pipe(z.email(wrong));
}

/** As `emailAddress`, where none need be given: blank and absent read as null. */
export function optionalEmailAddress() {
  return optionalText(MAX_EMAIL_LENGTH).pipe(z.email(WRONG_EMAIL).toLowerCase().nullable());
}

export { z };
