import { errorCode } from '#server/data-dir.ts';

const SILENT = 'Il server di posta non risponde';
const UNKNOWN = 'La consegna non è riuscita';

/** Italian texts for nodemailer's error codes, shown in the application. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNECTION: SILENT,
  ETIMEDOUT: SILENT,
  ESOCKET: SILENT,
  EPROXY: SILENT,
  TimeoutError: SILENT,
  EDNS: 'Il nome del server di posta non si trova',
  ETLS: 'La connessione protetta con il server di posta non riesce',
  EREQUIRETLS: 'La connessione protetta con il server di posta non riesce',
  EAUTH: 'Il server di posta non accetta le credenziali',
  ENOAUTH: 'Il server di posta chiede delle credenziali',
  EENVELOPE: 'Il server di posta rifiuta mittente o destinatari',
  EMESSAGE: 'Il server di posta rifiuta il messaggio',
};

const MAX_DETAILS_LENGTH = 500;

/** The reason for a failed delivery in Italian, and the message of the server or the library, if any. */
export function deliveryFailure(error: unknown): { lastError: string; lastErrorDetails: string | null } {
  if (!(error instanceof Error)) return { lastError: UNKNOWN, lastErrorDetails: null };
  return {
    lastError: WORDS[errorCode(error)] ?? WORDS[error.name] ?? UNKNOWN,
    lastErrorDetails: error.message.slice(0, MAX_DETAILS_LENGTH),
  };
}

/** The same for a message that reached only some of its recipients. */
export function refusal(refused: readonly string[]): ReturnType<typeof deliveryFailure> {
  return { lastError: `Il server di posta rifiuta ${refused.join(', ')}`, lastErrorDetails: null };
}
