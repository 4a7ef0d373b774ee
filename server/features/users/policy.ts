import type { ErrorCode } from '#contract/errors.ts';
import type { UserId } from '#server/auth/actor.ts';

type Target = { id: UserId; email: string };

/**
 * Why an administrator may not manage an account (change its role, suspend it, delete it); null when they may. Nobody
 * manages their own account, and only the operator manages the invoice administrator's (architecture).
 */
export function refusalToManage(
  actorId: UserId,
  target: Target,
  invoiceAdminEmail: string,
): ErrorCode | null {
  if (target.email === invoiceAdminEmail) return 'reserved_account';
  return target.id === actorId ? 'own_account' : null;
}
