import type { Actor } from '#server/auth/actor.ts';

/** Whether `actor` may create invoices for own records (spec §6): the administrator only. */
export function mayCreateOwnInvoices(actor: Actor): boolean {
  return actor.kind === 'admin';
}
