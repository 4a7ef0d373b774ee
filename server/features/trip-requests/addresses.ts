import type { UserId } from '#server/auth/actor.ts';
import type { Database } from '#server/db/scope.ts';
import type { Services } from '#server/services.ts';
import { findTripRequest } from './queries.ts';

type Context = Pick<Services, 'env'>;

const CUSTOMER_PATH = '/app/nuova-trasferta/richieste';

/** The page of a request for its customer. */
export function customerUrl({ env }: Context, id: number): string {
  return `${env.publicUrl}${CUSTOMER_PATH}/${id}`;
}

/** The page of a request for the provider. */
export function managementUrl({ env }: Context, id: number): string {
  return `${env.publicUrl}/app/gestione-richieste/${id}`;
}

/**
 * The provider's page of the request that `owner` sees at `path`, which the provider cannot open; null for any other
 * path, and for a request that is not theirs.
 */
export async function managementUrlOf(
  context: Context,
  db: Database,
  owner: UserId,
  path: string,
): Promise<string | null> {
  const [, id] = new RegExp(`^${CUSTOMER_PATH}/(\\d{1,15})$`).exec(path) ?? [];
  const request = id && (await findTripRequest(db, owner, Number(id)));
  return request ? managementUrl(context, request.id) : null;
}
