import type { Actor } from '#server/auth/actor.ts';

/** Whether `actor` may create invoices for themselves (spec §6): administrators only. */
export function mayCreateOwnInvoices(actor: Actor): boolean {
  return actor.kind === 'admin';
}
