/**
 * Kinds of messages that carry a way into an account start with this: nobody but the product reads them, and their text is
 * forgotten once they are sent or given up.
 */
export const ACCOUNT_MAIL = 'account_';

/**
 * What an account can ask to be sent, and for how many minutes the code or link in it is good (architecture: an hour for that
 * of a recovery). A message that could not be sent for so long is of no use to anybody.
 */
export const ACCOUNT_MAIL_MINUTES = { recovery: 60, verification: 48 * 60, code: 10 } as const;

/** What an account can ask to be sent. */
export type AccountMailKind = keyof typeof ACCOUNT_MAIL_MINUTES;

/** For how many minutes a message of this kind is of use; null for ever. */
export function usefulMinutes(kind: string): number | null {
  const minutes: Readonly<Record<string, number>> = ACCOUNT_MAIL_MINUTES;
  return kind.startsWith(ACCOUNT_MAIL) ? (minutes[kind.slice(ACCOUNT_MAIL.length)] ?? null) : null;
}
