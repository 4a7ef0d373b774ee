declare const userId: unique symbol;
/** Id of an account. Branded, so that no other text passes for an owner. */
export type UserId = string & { readonly [userId]: true };

/** What an account is to the product (spec §6): customer staff, administrator, or the one invoice administrator. */
export type ActorKind = 'user' | 'admin' | 'invoiceAdmin';

/**
 * What an account is. The address of the invoice administrator (spec §6) can be registered by nobody, but somebody may have
 * had it before it was the one: it counts with the role that the operator gives with it.
 */
export function kindOf(
  account: { email: string; role?: string | null | undefined },
  invoiceAdminEmail: string,
): ActorKind {
  if (account.role !== 'admin') return 'user';
  return account.email === invoiceAdminEmail ? 'invoiceAdmin' : 'admin';
}

/** Who makes a request. */
export type Actor = { readonly userId: UserId; readonly kind: ActorKind; readonly sessionId: string };
