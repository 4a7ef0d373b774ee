import { CONTACT_LIMITS } from './contact-limits.ts';
import { optionalEmailAddress, optionalLine, optionalText, requiredLine, z } from './validation.ts';

/** How the sender wants to be contacted (spec §3); by e-mail unless chosen otherwise. */
export const CONTACT_PREFERENCES = ['email', 'telefono'] as const;

/**
 * The contact form (spec §3 and §5), in the order in which the first wrong field gets the focus. `website` is the
 * honeypot: people never see it, so only robots fill it in. It is not validated here, because a robot must get the same
 * answer as a person.
 */
export const contactRequestSchema = z.strictObject({
  nome: requiredLine('Il nome è obbligatorio', CONTACT_LIMITS.nome),
  cognome: requiredLine('Il cognome è obbligatorio', CONTACT_LIMITS.cognome),
  azienda: optionalLine(CONTACT_LIMITS.azienda),
  telefono: requiredLine('Il numero di telefono è obbligatorio', CONTACT_LIMITS.telefono),
  // Never required (spec §5), not even with e-mail as preference: the provider can always answer by phone.
  email: optionalEmailAddress(),
  preferenzaContatto: z.enum(CONTACT_PREFERENCES).default('email'),
  messaggio: optionalText(CONTACT_LIMITS.messaggio),
  website: z.string().max(2000).optional(),
});
export type ContactRequest = z.output<typeof contactRequestSchema>;

/** Where a form posted without JavaScript is redirected on success; the fragment shows the confirmation. */
export const CONTACT_SENT_PATH = '/contacts?inviato=1#inviato';

/** Where it is redirected when a field is refused: the fragment says what to correct. */
export const CONTACT_REFUSED_PATH = '/contacts?inviato=0#da-correggere';

/** Where it is redirected on any other failure: the fragment shows the message, and going back finds the form as typed. */
export const CONTACT_FAILED_PATH = '/contacts?inviato=0#non-inviato';
