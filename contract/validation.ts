import { z } from 'zod';
import it from 'zod/v4/locales/it.js';

const italian = it().localeError;

/**
 * The Zod every contract file uses: with Italian texts, because the messages are shown to people as they are.
 * A missing value reads 'Campo obbligatorio' instead of the locale's description of types.
 */
z.config({
  localeError: (issue) => {
    if (issue.code === 'invalid_type' && (issue.input === undefined || issue.input === null)) {
      return 'Campo obbligatorio';
    }
    if (issue.code === 'unrecognized_keys') return `Campo non previsto: ${issue.keys.join(', ')}`;
    return italian(issue);
  },
});

/**
 * Trimmed text of 1 to `max` characters.
 * @param missing the message when it is absent or blank
 */
export function requiredText(missing: string, max: number) {
  return z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? missing : undefined) })
    .trim()
    .min(1, missing)
    .max(max, `Al massimo ${max} caratteri`);
}

/** Trimmed text of at most `max` characters; blank and absent read as null. */
export function optionalText(max: number) {
  return z
    .string()
    .trim()
    .max(max, `Al massimo ${max} caratteri`)
    .nullish()
    .transform((text) => text || null);
}

/** An e-mail address, trimmed and in lower case, of at most 254 characters (RFC 5321). */
export function emailAddress(missing: string) {
  return requiredText(missing, 254).toLowerCase().pipe(z.email('Indirizzo email non valido'));
}

export { z };
