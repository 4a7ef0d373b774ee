import { ACCOUNT_PROBLEMS, accountNamesSchema } from './accounts.ts';
import { MAX_NAME_LENGTH } from './lengths.ts';
import { optionalLine, requiredLine, z } from './validation.ts';

/** Texts of the profile page (spec §8). */
export const PROFILE_TEXTS = {
  saved: 'Profilo aggiornato con successo',
  failed: "Errore durante l'aggiornamento del profilo",
  unexpected: "Si è verificato un errore durante l'aggiornamento del profilo",
  pictureAddress: 'Inserisci l’indirizzo di un’immagine che inizia con https://',
  deleted: 'Account eliminato. Ci dispiace vederti andare via.',
} as const;

/** What the login says after a change whose response was lost, if the session has ended with it. */
export const UNCONFIRMED_CHANGES = {
  password: 'La password potrebbe essere già cambiata: prova prima con quella nuova.',
  twoFactorOn:
    'La verifica in due passaggi potrebbe essere già attiva: tieni pronta l’app. Dal profilo puoi creare nuovi codici di recupero.',
  twoFactorOff: 'La verifica in due passaggi potrebbe essere già disattivata.',
  deletion: 'L’account potrebbe essere già eliminato.',
} as const;

/** Limits of an uploaded profile picture, and the side of the stored square in pixels. */
export const PICTURE = { maxBytes: 5 * 1024 * 1024, headBytes: 4096, side: 512 } as const;

/** Where an uploaded picture is served; its name cannot be guessed. */
export const PICTURE_PATH = '/api/pictures/';
const UPLOADED = /^\/api\/pictures\/[0-9a-f-]{36}$/;

function isPicture(address: string): boolean {
  return UPLOADED.test(address) || (URL.canParse(address) && new URL(address).protocol === 'https:');
}

/** Profile fields that the owner can change (spec §2, §6; architecture: never the e-mail, never the role). */
export const profileSchema = z.strictObject({
  fullName: requiredLine(ACCOUNT_PROBLEMS.fullName, MAX_NAME_LENGTH),
  companyName: optionalLine(MAX_NAME_LENGTH),
  profilePicture: optionalLine(2000).refine((address) => address === null || isPicture(address), {
    error: PROFILE_TEXTS.pictureAddress,
  }),
});

/**
 * A change of the own profile; omitted fields keep their value. `from` contains the names that the change started from:
 * nothing is changed if one to be replaced is different by now.
 */
export const profileChangesSchema = profileSchema.extend({ from: accountNamesSchema }).partial();
export type ProfileChanges = z.input<typeof profileChangesSchema>;

/** The picture of the account as it is now. */
export const pictureSchema = z.object({ profilePicture: z.string() });
