/*
 * What the login screen shows at once (spec §2, §5, §8). Separate from contract/accounts.ts, which it loads only when
 * somebody logs in.
 */

/** Shortest password (spec §9), and the longest, which limits the cost of hashing. */
export const PASSWORD_LENGTH = { min: 6, max: 128 } as const;

/** Failures when requesting a mail or using its link. */
export const RECOVERY_TEXTS = { failed: 'Qualcosa non ha funzionato. Riprova tra poco.' } as const;
