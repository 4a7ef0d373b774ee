import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '#server/testing/cluster.ts';
import { ensureLogins, loginName } from './logins.ts';

const SECRET = 'a secret of the tests, of at least 32 characters';

test.each([
  ['before the host', (url: URL) => url.href],
  [
    'as parameters, without a host',
    ({ hostname, port, pathname, username, password }: URL) =>
      `postgresql://${pathname}?host=${hostname}&port=${port}&user=${username}&password=${password}`,
  ],
])('the server logs in with roles of its own when the URL names the owner %s', async (_, ownerUrlOf) => {
  const { databaseUrl, drop } = await createTestDatabase(inject('testCluster'));
  const ownerUrl = new URL(databaseUrl);
  const { trasvia_app: url } = await ensureLogins(ownerUrlOf(ownerUrl), SECRET);
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select session_user as name');
  await client.end();
  await drop();
  expect(rows).toEqual([{ name: loginName('trasvia_app', ownerUrl.pathname.slice(1)) }]);
});
