/*
 * What the login screen says (spec §2, §5, §8), apart from the rules of contract/accounts.ts: the page shows it at once, while
 * the rules are fetched only when somebody logs in.
 */

/** Shortest password (spec §9) and longest (bounds the cost of hashing). */
export const PASSWORD_LENGTH = { min: 6, max: 128 } as const;

export const LOGIN_TEXTS = {
  empty: 'Inserisci email/username e password per accedere.',
  failed: 'Si è verificato un errore durante il login.',
  refused: 'Credenziali non valide',
  noSession: 'Errore di autenticazione',
  success: 'Accesso effettuato con successo!',
} as const;

export const REGISTRATION_TEXTS = {
  done: 'Registrazione completata. Ora puoi accedere con le tue credenziali.',
  success: 'Registrazione completata con successo!',
  notDone: 'Errore durante la registrazione',
  failed: 'Registrazione fallita. Riprova più tardi.',
  unexpected: 'Si è verificato un errore durante la registrazione',
} as const;

/** What the login screen says, besides the forms above. */
export const RECOVERY_TEXTS = {
  requested:
    "Se l'indirizzo appartiene a un account, tra poco riceverai un'email con il collegamento per scegliere una nuova password.",
  done: 'Password aggiornata. Ora puoi accedere con la nuova password.',
  codeRequested: "Se l'indirizzo appartiene a un account, tra poco riceverai un'email con il codice.",
  verified: 'Indirizzo email confermato. Grazie!',
} as const;
