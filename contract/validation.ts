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

/** As `readable`, on one line: what separates its words, a pasted end of a line as well, is one space. */
export const oneLine = (text: string) => readable(text.replace(/[\r\v\f]/g, '\n')).replace(/\s+/g, ' ');

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

function required(clean: (text: string) => string, missing: string, max: number) {
  return z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? missing : undefined) })
    .overwrite(clean)
    .min(1, missing)
    .max(max, `Al massimo ${figure(max)} caratteri`);
}

function optional(clean: (text: string) => string, max: number) {
  return z
    .string()
    .overwrite(clean)
    .max(max, `Al massimo ${figure(max)} caratteri`)
    .nullish()
    .transform((text) => text || null);
}

/**
 * Trimmed text of 1 to `max` characters, of any number of lines, without any character that cannot be seen.
 * @param missing the message when it is absent or blank
 */
export function requiredText(missing: string, max: number) {
  return required(readable, missing, max);
}

/** As `requiredText`, where none need be given: blank and absent read as null. */
export function optionalText(max: number) {
  return optional(readable, max);
}

/**
 * As `requiredText`, of what is entered on one line, a name above all: it stands in the midst of sentences, in subjects of
 * mail and in cells, and must not look like a text of its own there.
 */
export function requiredLine(missing: string, max: number) {
  return required(oneLine, missing, max);
}

/** As `requiredLine`, where none need be given: blank and absent read as null. */
export function optionalLine(max: number) {
  return optional(oneLine, max);
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
  return requiredLine(missing, MAX_EMAIL_LENGTH).toLowerCase().pipe(z.email(wrong));
}

/** As `emailAddress`, where none need be given: blank and absent read as null. */
export function optionalEmailAddress() {
  return optionalLine(MAX_EMAIL_LENGTH).pipe(z.email(WRONG_EMAIL).toLowerCase().nullable());
}

export { z };
