import { COMMON_TEXTS, errorBodySchema } from './error-body.ts';
import { figure } from './figures.ts';
import { TOO_MANY_DECIMALS } from './money.ts';
import { z } from './validation.ts';

/** The most invoices in one exported file; larger exports are refused. */
export const MAX_EXPORTED_INVOICES = 50_000;
/** The most employees in one exported file. */
export const MAX_EXPORTED_EMPLOYEES = 50_000;

/**
 * Every expected failure of the API: its code (stable, for programs), HTTP status and Italian text (shown as it is).
 * Texts quoted in spec §5 and §8 are literal. A feature adds its codes here; using an undeclared one does not compile.
 */
export const ERRORS = {
  invalid_input: { status: 422, message: 'Controlla i campi evidenziati.' },
  malformed_json: { status: 400, message: 'La richiesta non è JSON valido.' },
  malformed_text: { status: 400, message: 'La richiesta contiene caratteri non validi.' },
  invalid_cursor: { status: 400, message: 'La pagina richiesta non esiste. Ricarica l’elenco.' },
  unsupported_media_type: { status: 415, message: 'Formato della richiesta non supportato.' },
  payload_too_large: { status: 413, message: 'La richiesta è troppo grande.' },
  malformed_upload: { status: 400, message: 'Il caricamento non è completo. Riprova.' },
  method_not_allowed: { status: 405, message: 'Questo indirizzo non ammette questa operazione.' },
  not_found: { status: 404, message: 'Elemento non trovato' },
  unauthenticated: { status: 401, message: COMMON_TEXTS.unauthenticated },
  forbidden: { status: 403, message: 'Non hai i permessi per questa operazione.' },
  foreign_origin: { status: 403, message: 'Richiesta proveniente da un altro sito.' },
  too_many_requests: { status: 429, message: 'Troppi tentativi. Riprova tra qualche minuto.' },
  idempotency_key_reused: {
    status: 422,
    message: 'Questa richiesta era già stata inviata con altri dati. Ricarica la pagina e riprova.',
  },
  conflict: {
    status: 409,
    message: 'Qualcun altro ha modificato questi dati nel frattempo. Controlla come sono adesso e riprova.',
  },
  internal: { status: 500, message: COMMON_TEXTS.internal },
  unavailable: { status: 503, message: 'Servizio momentaneamente non disponibile. Riprova tra poco.' },
  files_unavailable: {
    status: 503,
    message: 'I file non sono disponibili in questo momento. Riprova tra poco.',
  },

  // Authentication (spec §5, §8)
  username_not_found: { status: 401, message: 'Username non trovato' },
  invalid_credentials: { status: 401, message: COMMON_TEXTS.invalid_credentials },
  account_suspended: { status: 403, message: 'Account sospeso. Contatta il supporto.' },
  email_taken: { status: 409, message: 'Esiste già un account con questa email.' },
  email_reserved: { status: 409, message: 'Questo indirizzo email non può essere registrato.' },
  weak_password: { status: 422, message: COMMON_TEXTS.weak_password },
  wrong_password: { status: 422, message: COMMON_TEXTS.wrong_password },
  password_missing: {
    status: 422,
    message: 'Per continuare serve una password e non ne hai una: entri con un codice via email.',
  },
  session_not_found: { status: 404, message: 'Questa sessione non esiste più: è già terminata.' },
  invalid_link: { status: 410, message: 'Il collegamento non è valido o è scaduto. Chiedine uno nuovo.' },
  link_needs_login: {
    status: 409,
    message:
      'Per confermare l’indirizzo accedi al tuo account. Se non conosci la password, scegline una con «Password dimenticata?».',
  },
  invalid_code: { status: 422, message: 'Il codice non è corretto o è scaduto.' },
  two_factor_expired: {
    status: 410,
    message: 'Il tempo per la verifica è finito. Accedi di nuovo con la password.',
  },
  two_factor_attempts: {
    status: 410,
    message: 'Troppi codici errati. Accedi di nuovo con la password.',
  },
  two_factor_active: { status: 409, message: 'La verifica in due passaggi è già attiva.' },
  two_factor_inactive: { status: 409, message: 'La verifica in due passaggi non è attiva.' },
  email_verified: { status: 409, message: 'Il tuo indirizzo email è già confermato.' },
  image_type: { status: 422, message: 'Scegli un’immagine JPEG, PNG, WebP o AVIF.' },
  image_too_large: {
    status: 413,
    message: 'L’immagine può avere al massimo 5\u00a0MB e 50 megapixel, 13 se è AVIF.',
  },

  // Projects and employees (spec §4, §8)
  sample_record: { status: 409, message: 'I dati di esempio non possono essere modificati.' },
  project_owner_mismatch: {
    status: 403,
    message: 'Errore di autenticazione - ID utente non corrispondente',
  },
  unknown_employee: { status: 422, message: 'Uno dei dipendenti scelti non esiste più.' },
  employee_export_too_large: {
    status: 422,
    message: `Troppe persone per un solo file: al massimo ${figure(MAX_EXPORTED_EMPLOYEES)}. Restringi i filtri e riprova.`,
  },

  // Invoices (spec §5, §8)
  invoice_amount: {
    status: 422,
    message: 'Importo non valido. Deve essere un numero positivo fino a 1.000.000€.',
  },
  invoice_amount_decimals: { status: 422, message: TOO_MANY_DECIMALS },
  invoice_issue_date: {
    status: 422,
    message: 'Data di emissione non valida. Deve essere tra 3 anni fa e 1 anno nel futuro.',
  },
  invoice_due_date: { status: 422, message: 'La scadenza non può precedere la data di emissione.' },
  file_not_pdf: { status: 422, message: 'Solo file PDF sono permessi' },
  file_too_large: { status: 413, message: 'Il file non può essere più grande di 10MB' },
  file_empty: { status: 422, message: 'Il file è vuoto' },
  file_missing: { status: 404, message: 'Nessun file disponibile' },
  file_upload_failed: { status: 500, message: 'Errore durante il caricamento del file' },
  file_record_failed: {
    status: 500,
    message: 'Errore durante il salvataggio delle informazioni del file',
  },
  file_delete_failed: { status: 500, message: "Errore durante l'aggiornamento del database" },
  invoice_user: { status: 422, message: 'Utente selezionato non valido' },
  invoice_project: { status: 422, message: 'Progetto selezionato non valido' },
  invoice_project_owner: {
    status: 422,
    message: "Il progetto selezionato non appartiene all'utente selezionato",
  },
  invoice_number_taken: { status: 409, message: 'Numero fattura già esistente. Riprova.' },
  invoice_references: {
    status: 409,
    message: 'Dati di riferimento non validi. Controlla utente e progetto.',
  },
  invoice_export_too_large: {
    status: 422,
    message: `Troppe fatture per un solo file: al massimo ${figure(MAX_EXPORTED_INVOICES)}. Restringi i filtri e riprova.`,
  },
  invoice_admin_only: { status: 403, message: 'Solo gli admin possono creare fatture' },

  // Trip requests
  trip_request_not_withdrawable: {
    status: 409,
    message: 'Questa richiesta non si può più annullare da qui. Chiama il supporto.',
  },
  trip_request_withdrawn: { status: 409, message: 'Questa richiesta è già annullata.' },
  trip_request_copies: {
    status: 429,
    message: 'A questo indirizzo sono già arrivate troppe conferme: riprova tra un’ora o scrivine un altro.',
  },
  trip_request_unchanged: { status: 422, message: 'Scegli un altro stato o scrivi una nota.' },

  // Mail
  mail_not_given_up: { status: 409, message: 'Questa email non è più tra quelle da inviare di nuovo.' },

  // Users (spec §8)
  own_account: { status: 409, message: 'Questa operazione non si può fare sul proprio account.' },
  reserved_account: {
    status: 409,
    message: 'L’account dell’amministratore delle fatture si gestisce solo da riga di comando.',
  },
  user_suspended: {
    status: 409,
    message: 'Questo account è sospeso: riattivalo prima di inviare il collegamento.',
  },
  email_unconfirmed: {
    status: 409,
    message: 'L’indirizzo email di questo account non è ancora confermato: non può diventare amministratore.',
  },
  last_admin: { status: 409, message: 'Deve restare almeno un amministratore attivo.' },
} as const satisfies Record<string, { status: number; message: string }>;

/** Text of `too_many_requests` when the number of seconds until the next attempt is known (an hour at most). */
export function tooManyRequestsText(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const wait = minutes === 1 ? 'un minuto' : minutes < 60 ? `${minutes} minuti` : 'un’ora';
  return `Troppi tentativi. Riprova tra ${wait}.`;
}

/** Code of an expected failure. */
export type ErrorCode = keyof typeof ERRORS;

/** Body of a response that fails with exactly `code`; the text of too_many_requests varies with the time to wait. */
export function failureSchema<Code extends ErrorCode>(code: Code) {
  const message = code === 'too_many_requests' ? z.string() : z.literal<string>(ERRORS[code].message);
  return errorBodySchema.extend({
    error: errorBodySchema.shape.error.extend({ code: z.literal(code), message }),
  });
}

/**
 * Body of a 409 to an edit that started from an older version; includes the current record, so that both versions can
 * be shown.
 */
export function conflictSchema<Record extends z.ZodType>(record: Record) {
  return failureSchema('conflict').extend({ current: record });
}
