import { type Client, DatabaseError } from 'pg';
import { StartError } from '#server/start-error.ts';

/** The roles whose rights the server uses. Neither owns anything (server/db/migrations/0001_foundation.sql). */
export const SERVER_ROLES = ['trasvia_app', 'trasvia_auth'] as const;
export type ServerRole = (typeof SERVER_ROLES)[number];

/** SQLSTATE insufficient_privilege. */
const REFUSED = '42501';

/**
 * Explains why a statement of the owner failed. Roles belong to the whole cluster: if an installation with another
 * owner created the server's roles, PostgreSQL 16 and later let this owner grant them only with the other's permission.
 *
 * @param client connection of the owner; its transaction is rolled back
 * @returns a {@link StartError} that says what to grant, or `error` itself when it has another reason
 */
export async function explainRefusal(client: Client, error: unknown): Promise<unknown> {
  if (!(error instanceof DatabaseError && error.code === REFUSED)) return error;
  await client.query('rollback');
  const { rows } = await client.query<{ foreign: string[] | null; grantee: string }>(
    `select array_agg(rolname::text order by rolname) as foreign, quote_ident(current_user) as grantee from pg_roles
     where rolname = any ($1) and not pg_has_role(oid, 'member with admin option')`,
    [SERVER_ROLES],
  );
  const [found] = rows;
  if (!found?.foreign) return error;
  return new StartError(
    `the roles belong to another installation: as its owner, run GRANT ${found.foreign.join(', ')} TO ${found.grantee} WITH ADMIN OPTION`,
    { cause: error },
  );
}
