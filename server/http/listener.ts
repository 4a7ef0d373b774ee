import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';

/** Protects the server from slow, silent or greedy clients; times in milliseconds, sizes in bytes. */
const LIMITS = {
  /** For a whole request: enough for the largest upload (10 MB) over a slow line. */
  requestTimeout: 180_000,
  headersTimeout: 15_000,
  /** How often the two timeouts above are checked. */
  connectionsCheckingInterval: 5_000,
  /**
   * Longer than the minute after which load balancers drop an idle connection; otherwise they could use one that was
   * just closed.
   */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  /** A client that neither sends nor receives for this long is gone. */
  timeout: 120_000,
};

/**
 * The HTTP server of the product, not listening yet.
 * @param limits replaces some of {@link LIMITS}, for tests that cannot wait
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
