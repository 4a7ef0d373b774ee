/*
 * The longest of what several forms ask for, in characters. Apart from contract/validation.ts, which the login loads only
 * when somebody logs in.
 */

/** An e-mail address (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;
/** The full name of an account, and the name of its company. */
export const MAX_NAME_LENGTH = 120;
/** A phone number, with whatever is written beside it. */
export const MAX_PHONE_LENGTH = 40;
