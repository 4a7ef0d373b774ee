import { isIPv6 } from 'node:net';
import type { Env } from '#server/env.ts';

/**
 * The variables that the two processes of `npm run dev` override: the client has the public address, the server the next
 * port.
 */
export function devVariables({ host, port, publicUrl }: Pick<Env, 'host' | 'port' | 'publicUrl'>) {
  const serverPort = port + 1;
  return {
    server: { PORT: String(serverPort), PUBLIC_URL: publicUrl },
    client: { TRASVIA_API: `http://${isIPv6(host) ? `[${host}]` : host}:${serverPort}` },
  };
}
