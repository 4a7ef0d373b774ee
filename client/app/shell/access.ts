import type { Me } from '#contract/accounts.ts';

const ADMIN_AREA = '/app/admin/';

/**
 * Where an account that asks for `path` is sent instead (spec §2, Access rules), or null when it may stay: the invoice
 * administrator is kept under /app/admin/, everybody else out of it.
 */
export function redirectFor(me: Pick<Me, 'permissions'>, path: string): string | null {
  const inAdminArea = `${path}/`.startsWith(ADMIN_AREA);
  if (me.permissions.manageAllInvoices) return inAdminArea ? null : '/app/admin/invoices';
  return inAdminArea ? '/app/home' : null;
}
