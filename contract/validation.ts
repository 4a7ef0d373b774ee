import { z } from 'zod';
import it from 'zod/v4/locales/it.js';
import { figure } from './figures.ts';
import { MAX_EMAIL_LENGTH } from './lengths.ts';

const italian = it().localeError;

/** What the limits of other values than numbers count, by the type of value. */
const COUNTED: Readonly<Record<string, string>> = { string: ' caratteri', array: ' elementi' };

/**
 * Invisible characters: control characters, soft hyphens, zero-width characters, Hangul fillers, and those that change
 * the writing direction; also lone surrogates, which PostgreSQL rejects in JSON.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u00AD\u061C\u115F\u1160\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\u3164\uFEFF\uFFA0]/gu;

/** A character that shows something by itself, unlike the joiners and variation selectors inside words and emoji. */
const SEEN = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Marks beyond the thirtieth on one letter. No writing has as many (Unicode Standard Annex 15, Stream-Safe Text Format), and
 * to put them in order takes the square of their number: a megabyte of them would stop the process for minutes.
 */
const EXCESSIVE_MARKS = /(?<!\p{M})(\p{M}{30})\p{M}+/gu;

/** `text` with each letter and its accents as one character, in a time that grows with its length. */
export const composed = (text: string) => text.replace(EXCESSIVE_MARKS, '$1').normalize('NFC');

/**
 * `text` trimmed and without invisible characters, which could make a name look empty or reverse the text around it;
 * '' if nothing of it shows. Line breaks are kept. A letter with its accent is one character, also if it was pasted as
 * two, as macOS writes them: equal texts have the same length and are found equal.
 */
export const readable = (text: string) => {
  const kept = text.replace(UNSEEN, (character) => (/[\n\t]/.test(character) ? character : ''));
  return SEEN.test(kept) ? composed(kept).trim() : '';
};

/** Like `readable`, on one line: any whitespace between words, including pasted line breaks, becomes one space. */
export const oneLine = (text: string) => readable(text.replace(/[\r\v\f]/g, '\n')).replace(/\s+/g, ' ');

/** The server adds the name of the field. */
export const UNKNOWN_FIELD = 'Campo non previsto';

/**
 * The Zod instance for all contract files, with Italian messages, because messages are shown to users unchanged. A
 * missing value reads 'Campo obbligatorio', and other messages avoid the locale's type names.
 */
z.config({
  // In a browser, compiled schemas need `eval`, which the content security policy forbids. Zod tries it with the first
  // schema, and Firefox and Safari write that to the console of every page.
  jitless: !!globalThis.document,
  localeError: (issue) => {
    const given = issue.input !== undefined && issue.input !== null;
    if (!given && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
      return 'Campo obbligatorio';
    if (issue.code === 'unrecognized_keys') return UNKNOWN_FIELD;
    if (issue.code === 'invalid_type' || issue.code === 'invalid_format') return 'Valore non valido';
    if (issue.code === 'invalid_value') return 'Scelta non valida';
    // A whole number with more digits than are exact, whatever the limit of the field.
    if ((issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'int')
      return 'Valore non valido';
    if (issue.code === 'too_big')
      return `Al massimo ${figure(Number(issue.maximum))}${COUNTED[issue.origin] ?? ''}`;
    if (issue.code === 'too_small') return `Almeno ${issue.minimum}${COUNTED[issue.origin] ?? ''}`;
    return italian(issue);
  },
});

function required(clean: (text: string) => string, missing: string, max: number) {
  return z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? missing : undefined) })
    .overwrite(clean)
    .min(1, missing)
    .max(max);
}

function optional(clean: (text: string) => string, max: number) {
  return z
    .string()
    .overwrite(clean)
    .max(max)
    .nullish()
    .transform((text) => text || null);
}

/**
 * Trimmed text of 1 to `max` characters, on any number of lines, without invisible characters.
 * @param missing the message when it is absent or blank
 */
export function requiredText(missing: string, max: number) {
  return required(readable, missing, max);
}

/** Like `requiredText`, but optional: blank and absent become null. */
export function optionalText(max: number) {
  return optional(readable, max);
}

/**
 * Like `requiredText`, on one line, above all for names: they appear inside sentences, mail subjects and cells, and
 * must not look like separate text there.
 */
export function requiredLine(missing: string, max: number) {
  return required(oneLine, missing, max);
}

/** Like `requiredLine`, but optional: blank and absent become null. */
export function optionalLine(max: number) {
  return optional(oneLine, max);
}

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
