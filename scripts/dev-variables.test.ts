import { expect, test } from 'vitest';
import { readEnv } from '#server/env.ts';
import { devVariables } from './dev-variables.ts';

test.each([
  [{}, 'http://localhost:3000', 'http://127.0.0.1:3001'],
  [{ PUBLIC_URL: '' }, 'http://localhost:3000', 'http://127.0.0.1:3001'],
  [{ PUBLIC_URL: 'https://trasvia.example' }, 'https://trasvia.example', 'http://127.0.0.1:3001'],
  [{ PORT: '4000', HOST: '::1' }, 'http://localhost:4000', 'http://[::1]:4001'],
  [{ HOST: 'localhost' }, 'http://localhost:3000', 'http://localhost:3001'],
])(
  'with %o the server gets the public address, and the client the address of the server',
  (environment, publicUrl, api) => {
    const { server, client } = devVariables(readEnv(environment));
    expect(server.PUBLIC_URL).toBe(publicUrl);
    expect(client.TRASVIA_API).toBe(api);
    expect(new URL(api).port).toBe(server.PORT);
  },
);
