import { isIPv6 } from 'node:net';
import type { Env } from '#server/env.ts';

/**
 * The variables in which the two processes of `npm run dev` differ from the environment: the client is at the address that
 * people open, the server on the port after it.
 */
export function devVariables({ host, port, publicUrl }: Pick<Env, 'host' | 'port' | 'publicUrl'>) {
  const serverPort = port + 1;
  return {
    server: { PORT: String(serverPort), PUBLIC_URL: publicUrl },
    client: { TRASVIA_API: `http://${isIPv6(host) ? `[${host}]` : host}:${serverPort}` },
  };
}
