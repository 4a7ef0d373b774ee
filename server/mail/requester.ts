import { eq } from 'drizzle-orm';
import type { UserId } from '#server/auth/actor.ts';
import { profiles } from '#server/db/schema.ts';
import type { Database } from '#server/db/scope.ts';
import { AppError } from '#server/errors.ts';
import type { ReportSection } from './report.ts';

/** A customer who writes to the provider, as shown to its staff. */
export type Requester = { fullName: string; companyName: string | null; email: string };

/** @throws AppError unauthenticated when there is no such account */
export async function requesterOf(tx: Database, owner: UserId): Promise<Requester> {
  const [row] = await tx
    .select({ fullName: profiles.fullName, companyName: profiles.companyName, email: profiles.email })
    .from(profiles)
    .where(eq(profiles.id, owner));
  if (!row) throw new AppError('unauthenticated');
  return row;
}

/** The name that a message of a customer to the provider comes from. */
export function senderName({ fullName, companyName }: Requester): string {
  return companyName ?? fullName;
}

/** The lines of a report that name a customer. */
export function requesterLines(
  { fullName, companyName }: Requester,
  labels: { name: string; company: string } = { name: 'Nome', company: 'Azienda' },
): Exclude<ReportSection['content'], string> {
  return [[labels.name, fullName], ...(companyName ? [[labels.company, companyName] as const] : [])];
}
