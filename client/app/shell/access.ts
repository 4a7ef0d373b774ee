import type { Me } from '#contract/accounts.ts';

const ADMIN_AREA = '/app/admin/';

/**
 * Where an account that requests `path` is redirected (spec §2, Access rules), or null if it may stay: the invoice
 * administrator is limited to /app/admin/, which nobody else may enter.
 */
export function redirectFor(me: Pick<Me, 'permissions'>, path: string): string | null {
  const inAdminArea = `${path}/`.startsWith(ADMIN_AREA);
  if (me.permissions.manageAllInvoices) return inAdminArea ? null : '/app/admin/invoices';
  return inAdminArea ? '/app/home' : null;
}
