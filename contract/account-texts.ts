/*
 * Texts of the login screen (spec §2, §5, §8). Separate from the rules in contract/accounts.ts, because the page shows
 * the texts at once and loads the rules only when somebody logs in.
 */

/** Shortest password (spec §9), and the longest, which limits the cost of hashing. */
export const PASSWORD_LENGTH = { min: 6, max: 128 } as const;

export const LOGIN_TEXTS = {
  failed: 'Si è verificato un errore durante il login.',
  success: 'Accesso effettuato con successo!',
} as const;

/** Failures when requesting a mail or using its link. */
export const RECOVERY_TEXTS = {
  failed: 'Qualcosa non ha funzionato. Riprova tra poco.',
  /** A link that works once is refused after an attempt whose response was lost. */
  perhapsReset:
    'La password potrebbe essere già cambiata: prova ad accedere con quella nuova. Se non funziona, chiedi un altro collegamento.',
} as const;

export const REGISTRATION_TEXTS = {
  done: 'Registrazione completata. Ora puoi accedere con le tue credenziali.',
  success: 'Registrazione completata con successo!',
  notDone: 'Errore durante la registrazione',
  failed: 'Registrazione fallita. Riprova più tardi.',
  unexpected: 'Si è verificato un errore durante la registrazione',
} as const;
