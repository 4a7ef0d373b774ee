import { and, eq } from 'drizzle-orm';
import type { Pool } from 'pg';
import { auditEvents, profiles } from '#server/db/schema.ts';
import { type Database, SYSTEM, transaction } from '#server/db/scope.ts';
import type { UserId } from './actor.ts';

/** All account events that must be accounted for later. */
export type AuditAction =
  | 'registered'
  | 'login'
  | 'login_failed'
  | 'logout'
  | 'sessions_ended'
  | 'recovery_requested'
  | 'password_reset'
  | 'password_changed'
  | 'email_verified'
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'recovery_codes_made'
  | 'user_created'
  | 'user_updated'
  | 'role_changed'
  | 'user_suspended'
  | 'user_reinstated'
  | 'data_downloaded'
  | 'account_deleted';

/** One security event: who (`actorId`, null for a visitor) did what to whose account, from which address. */
export type AuditEvent = {
  action: AuditAction;
  actorId?: UserId | null;
  subjectId?: UserId | null;
  ipAddress: string | null;
  detail?: Record<string, unknown>;
};

/** Stores a security event, in the transaction of the change it reports. The table is append-only. */
export async function record(tx: Database, event: AuditEvent): Promise<void> {
  await tx.insert(auditEvents).values(event);
}

/**
 * Stores a security event that an account can have only once. The account is locked until the transaction ends, so that
 * concurrent calls store it once.
 * @returns false when it was stored before
 */
export async function recordOnce(tx: Database, event: AuditEvent & { subjectId: UserId }): Promise<boolean> {
  await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, event.subjectId)).for('update');
  const before = await tx
    .select({ id: auditEvents.id })
    .from(auditEvents)
    .where(and(eq(auditEvents.subjectId, event.subjectId), eq(auditEvents.action, event.action)))
    .limit(1);
  if (before.length > 0) return false;
  await record(tx, event);
  return true;
}

/** Stores a security event in a transaction of its own. */
export function recordAlone(pool: Pool, event: AuditEvent): Promise<void> {
  return transaction(pool, SYSTEM, (tx) => record(tx, event));
}
