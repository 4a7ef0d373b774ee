/**
 * Prefix of the message kinds that contain a link or code for an account: only the system itself can read them, and
 * their text is deleted once they are sent or given up.
 */
export const ACCOUNT_MAIL = 'account_';

/**
 * Account messages and for how many minutes the code or link in each is valid (architecture: an hour for recovery). A
 * message that could not be sent within that time is useless.
 */
export const ACCOUNT_MAIL_MINUTES = { recovery: 60, verification: 48 * 60, code: 10 } as const;

/** An account message. */
export type AccountMailKind = keyof typeof ACCOUNT_MAIL_MINUTES;

/** For how many minutes a message of this kind is useful; null without a limit. */
export function usefulMinutes(kind: string): number | null {
  const minutes: Readonly<Record<string, number>> = ACCOUNT_MAIL_MINUTES;
  return kind.startsWith(ACCOUNT_MAIL) ? (minutes[kind.slice(ACCOUNT_MAIL.length)] ?? null) : null;
}
