import { landingOf } from '#client/lib/session.ts';
import type { Me } from '#contract/accounts.ts';

/** The link to an account's first page, from a page that is missing or has failed. */
export function wayHome(me: Me): { to: string; children: string } {
  return {
    to: landingOf(me),
    children: me.permissions.manageAllInvoices ? 'Torna a Gestione Fatture' : 'Torna alla Home',
  };
}
