import { type Client, DatabaseError } from 'pg';
import { StartError } from '#server/start-error.ts';

/** The roles whose rights the server uses. Neither owns anything (server/db/migrations/0001_foundation.sql). */
export const SERVER_ROLES = ['trasvia_app', 'trasvia_auth'] as const;
export type ServerRole = (typeof SERVER_ROLES)[number];

/** SQLSTATE insufficient_privilege. */
const REFUSED = '42501';
/** SQLSTATE read_only_sql_transaction: a standby server, or a database that is set to read-only. */
const READ_ONLY = '25006';

/**
 * Explains why a statement of the owner failed. Roles belong to the whole cluster: if an installation with another
 * owner created the server's roles, PostgreSQL 16 and later let this owner grant them only with the other's permission.
 *
 * @param client connection of the owner; its transaction is rolled back
 * @returns a {@link StartError} that says what to grant or change, or `error` itself when it has another reason
 */
export async function explainRefusal(client: Client, error: unknown): Promise<unknown> {
  if (!(error instanceof DatabaseError)) return error;
  if (error.code === READ_ONLY) {
    return new StartError('the database is read-only: set DATABASE_URL to one that accepts writes', {
      cause: error,
    });
  }
  if (error.code !== REFUSED) return error;
  await client.query('rollback');
  const { rows } = await client.query<{ foreign: string[] | null; role: string }>(
    `select quote_ident(current_user) as role,
       (select array_agg(rolname::text order by rolname) from pg_roles
        where rolname = any ($1) and not pg_has_role(oid, 'member with admin option')) as foreign`,
    [SERVER_ROLES],
  );
  const { foreign = null, role = '' } = rows[0] ?? {};
  return new StartError(
    foreign
      ? `the roles belong to another installation: as its owner, run GRANT ${foreign.join(', ')} TO ${role} WITH ADMIN OPTION`
      : `the role ${role} must own the database and be allowed to create roles (${error.message})`,
    { cause: error },
  );
}
