declare const userId: unique symbol;
/** Id of an account. Branded, so that no other text passes for an owner. */
export type UserId = string & { readonly [userId]: true };

/** What an account is to the product (spec §6): customer staff, administrator, or the one invoice administrator. */
export type ActorKind = 'user' | 'admin' | 'invoiceAdmin';

/** Who makes a request. */
export type Actor = { readonly userId: UserId; readonly kind: ActorKind; readonly sessionId: string };
