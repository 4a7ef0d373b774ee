import type { webcrypto } from 'node:crypto';
import { describe, expect } from 'vitest';
import { test } from '#server/testing/test.ts';

describe('a token', () => {
  test('names the account and is signed with a published key', async ({ server }) => {
    const user = await server.make.user();
    const { api } = await server.as(user);
    await api.auth.tokens.$post();
    // As when another AUTH_SECRET has encrypted the key: a new one is made.
    await server.make.sql('update jwks set private_key = reverse(private_key)');
    const { token } = await (await api.auth.tokens.$post()).json();
    const { keys } = await (await server.anonymous().api.auth.keys.$get()).json();
    const [head = '', body = '', signature = ''] = token.split('.');
    const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    const jwk = keys.find(({ kid }) => kid === decode(head).kid);
    const key = await crypto.subtle.importKey('jwk', jwk as webcrypto.JsonWebKey, 'Ed25519', false, [
      'verify',
    ]);
    const sound = await crypto.subtle.verify(
      'Ed25519',
      key,
      Buffer.from(signature, 'base64url'),
      Buffer.from(`${head}.${body}`),
    );
    expect(sound).toBe(true);
    expect(decode(body)).toMatchObject({ sub: user.id, role: 'user', iss: server.origin });
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });
});
