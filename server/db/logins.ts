import { hkdfSync } from 'node:crypto';
import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';
import { LOCKS } from '#server/db/locks.ts';
import { connectOwner } from '#server/db/migrate.ts';
import { START_CONNECT_MS } from '#server/db/pool.ts';
import { explainRefusal, type ServerRole } from '#server/db/roles.ts';
import { StartError } from '#server/start-error.ts';

/**
 * Name of the role that logs in to one database with the rights of `role`. It includes the database, because roles
 * belong to the whole cluster.
 */
export function loginName(role: ServerRole, database: string): string {
  return `${role}_${database}`;
}

type Login = { role: ServerRole; name: string; password: string; url: string };

function loginTo(ownerUrl: string, role: ServerRole, authSecret: string): Login {
  const url = new URL(ownerUrl);
  // Like PostgreSQL, default to the database named after the user.
  const database = url.pathname.slice(1) || url.searchParams.get('user') || url.username;
  url.pathname = `/${database}`;
  const name = loginName(role, decodeURIComponent(database));
  const key = hkdfSync('sha256', authSecret, '', `password of the database role ${name}`, 32);
  const password = Buffer.from(key).toString('base64url');
  // As parameters, which take precedence: the owner's may be given so, and a URL without a host can have no others.
  url.searchParams.set('user', name);
  url.searchParams.set('password', password);
  return { role, name, password, url: url.href };
}

/** SQLSTATEs of a refused login: unknown role, wrong password, or a client that pg_hba.conf does not admit. */
const REFUSED = new Set(['28P01', '28000']);

/**
 * Whether the database accepts the login in `url`.
 * @throws any other failure to connect
 */
async function opens(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: START_CONNECT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && REFUSED.has(error.code ?? '')) return false;
    throw error;
  } finally {
    await client.end();
  }
}

async function makeLogins(ownerUrl: string, logins: readonly Login[]): Promise<void> {
  const owner = await connectOwner(ownerUrl);
  try {
    await owner.query('begin');
    // Processes that start at the same time take turns.
    await owner.query('select pg_advisory_xact_lock($1)', [LOCKS.logins]);
    for (const { role, name, password } of logins) {
      const login = escapeIdentifier(name);
      const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [name]);
      if (rowCount === 0) {
        await owner.query(`create role ${login} in role ${role}`);
        // Lets the owner see and end the role's connections.
        await owner.query(`grant ${login} to current_user`);
      }
      await owner.query(`alter role ${login} login password ${escapeLiteral(password)}`);
    }
    await owner.query('commit');
  } catch (error) {
    throw await explainRefusal(owner, error);
  } finally {
    await owner.end();
  }
}

/**
 * Connection URLs for a server, one per role and limited to its rights: a session that leaves the role falls back to
 * the login role, which has no other rights. Passwords are derived from `authSecret`, so that all processes of an
 * installation use the same.
 *
 * @param ownerUrl connection of the role that owns the tables; creates the login roles that are missing
 * @throws {StartError} when the database refuses the logins, or the owner may not create them
 */
export async function ensureLogins(
  ownerUrl: string,
  authSecret: string,
): Promise<Record<ServerRole, string>> {
  const logins = {
    trasvia_app: loginTo(ownerUrl, 'trasvia_app', authSecret),
    trasvia_auth: loginTo(ownerUrl, 'trasvia_auth', authSecret),
  };
  const all = Object.values(logins);
  const findRefused = async () => {
    const answers = await Promise.all(all.map(({ url }) => opens(url)));
    return all.find((_, index) => !answers[index]);
  };
  if (await findRefused()) {
    await makeLogins(ownerUrl, all);
    const refused = await findRefused();
    if (refused) {
      throw new StartError(
        `the database refuses the password login of ${refused.name}: allow it in pg_hba.conf, as for the owner`,
      );
    }
  }
  return { trasvia_app: logins.trasvia_app.url, trasvia_auth: logins.trasvia_auth.url };
}
