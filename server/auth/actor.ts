declare const userId: unique symbol;
/** Id of an account. Branded, so that no other text can be used as an owner. */
export type UserId = string & { readonly [userId]: true };

/** Kind of an account (spec §6): customer staff, administrator, or the one invoice administrator. */
export type ActorKind = 'user' | 'admin' | 'invoiceAdmin';

/**
 * The kind of an account. Nobody can register the invoice administrator's address (spec §6), but somebody may have had
 * it before it was chosen: it counts only together with the role that the operator gives.
 */
export function kindOf(
  account: { email: string; role?: string | null | undefined },
  invoiceAdminEmail: string,
): ActorKind {
  if (account.role !== 'admin') return 'user';
  return account.email === invoiceAdminEmail ? 'invoiceAdmin' : 'admin';
}

/** The signed-in account that makes a request. */
export type Actor = { readonly userId: UserId; readonly kind: ActorKind; readonly sessionId: string };
