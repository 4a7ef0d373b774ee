/** The domain of the address that a deleted account is left with; no mail can be sent to it (RFC 2606). */
export const ERASED_DOMAIN = 'eliminato.invalid';

/** Whether the account was deleted: its invoices remain. */
export function isErased({ email }: { email: string }): boolean {
  return email.endsWith(`@${ERASED_DOMAIN}`);
}
