import { MAX_NAME_LENGTH, MAX_PHONE_LENGTH } from './lengths.ts';

/**
 * Longest texts the contact form accepts, in characters. Apart from the schema, which the page fetches only on submission.
 */
export const CONTACT_LIMITS = {
  nome: 80,
  cognome: 80,
  azienda: MAX_NAME_LENGTH,
  telefono: MAX_PHONE_LENGTH,
  messaggio: 4000,
} as const;
