/*
 * What the login screen says (spec §2, §5, §8), apart from the rules of contract/accounts.ts: the page shows it at once, while
 * the rules are fetched only when somebody logs in.
 */

/** Shortest password (spec §9) and longest (bounds the cost of hashing). */
export const PASSWORD_LENGTH = { min: 6, max: 128 } as const;

export const LOGIN_TEXTS = {
  failed: 'Si è verificato un errore durante il login.',
  success: 'Accesso effettuato con successo!',
} as const;

/** What is said when asking for a mail, or what its link does, breaks down. */
export const RECOVERY_TEXTS = { failed: 'Qualcosa non ha funzionato. Riprova tra poco.' } as const;

export const REGISTRATION_TEXTS = {
  done: 'Registrazione completata. Ora puoi accedere con le tue credenziali.',
  success: 'Registrazione completata con successo!',
  notDone: 'Errore durante la registrazione',
  failed: 'Registrazione fallita. Riprova più tardi.',
  unexpected: 'Si è verificato un errore durante la registrazione',
} as const;
