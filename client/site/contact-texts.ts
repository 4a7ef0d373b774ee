/**
 * Texts of the contact form (spec §4 and §8). Separate from the contract, because the page shows them at once while the
 * schema is fetched only on submission.
 */
export const contactTexts = {
  submit: 'Invia richiesta',
  sending: 'Invio in corso...',
  sent: {
    title: 'Messaggio Inviato',
    message: 'La tua richiesta è stata inviata con successo. Ti contatteremo al più presto.',
  },
  failed: {
    title: 'Errore',
    message: "Si è verificato un errore durante l'invio del messaggio. Per favore, riprova più tardi.",
  },
  /** Where the browser posts the form itself, it cannot say more. */
  refused:
    'Controlla nome, cognome, telefono, indirizzo email e la lunghezza del messaggio: tornando indietro ritrovi quello che hai scritto.',
} as const;
