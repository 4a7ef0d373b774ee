import type { Permissions } from '#contract/accounts.ts';
import type { ActorKind } from '#server/auth/actor.ts';

/** What each kind of account may do (spec §6). Sent to the client, which shows only that; routes enforce the same. */
export function permissionsOf(kind: ActorKind): Permissions {
  return {
    customerArea: kind !== 'invoiceAdmin',
    createInvoices: kind === 'admin',
    manageUsers: kind === 'admin',
    manageTripRequests: kind === 'admin',
    manageAllInvoices: kind === 'invoiceAdmin',
  };
}
