import type { Me } from '#contract/accounts.ts';

/** The pattern of the paths that only the invoice administrator may enter, and is limited to. */
export const ADMIN_AREA = '/app/admin/*';

/**
 * Where an account is redirected from a path in or outside of `ADMIN_AREA` (spec §2, Access rules), or null if it may
 * stay.
 */
export function redirectFor(me: Pick<Me, 'permissions'>, inAdminArea: boolean): string | null {
  if (me.permissions.manageAllInvoices) return inAdminArea ? null : '/app/admin/invoices';
  return inAdminArea ? '/app/home' : null;
}
