import type { Permissions } from '#contract/accounts.ts';
import type { ActorKind } from '#server/auth/actor.ts';

/** What each role may do (spec §6). Sent to the client for display; the routes enforce the same rules. */
export function permissionsOf(kind: ActorKind): Permissions {
  return {
    customerArea: kind !== 'invoiceAdmin',
    createInvoices: kind === 'admin',
    manageUsers: kind === 'admin',
    manageTripRequests: kind === 'admin',
    manageAllInvoices: kind === 'invoiceAdmin',
  };
}
