import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';

/** What keeps slow, silent or greedy clients from holding the server; times in milliseconds, sizes in bytes. */
const LIMITS = {
  /** For a whole request: enough for the largest upload (10 MB) over a poor line. */
  requestTimeout: 180_000,
  headersTimeout: 15_000,
  /** How often the two above are enforced. */
  connectionsCheckingInterval: 5_000,
  /** Longer than the minute after which balancers drop an idle connection, or they would meet one just closed. */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  /** A client that neither sends nor reads for this long is gone. */
  timeout: 120_000,
};

/**
 * The HTTP server of the product, not listening yet.
 * @param limits {@link LIMITS} but for tests that cannot wait
 */
export function createHttpServer(
  fetch: (request: Request, bindings: object) => Response | Promise<Response>,
  limits: Partial<typeof LIMITS> = {},
): Server {
  const { timeout, ...options } = { ...LIMITS, ...limits };
  const server = createServer(options, getRequestListener(fetch));
  server.timeout = timeout;
  return server;
}
