import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
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
  /**
   * A client that neither sends nor receives for this long is gone. Longer than the three minutes for which the client
   * waits for a file that is generated: a workbook may have to wait for its turn.
   */
  timeout: 190_000,
};

/**
 * Requests of one connection that are answered at a time. No browser or proxy sends one before the last is answered, but
 * Node would begin with all of them at once: 200 KB of them took 450 MB, and nobody else was answered for seconds.
 */
const MOST_PIPELINED = 16;

/** Closes a connection with more unanswered requests than that, and begins with none of the others it has sent. */
function limitPipelining(listener: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > MOST_PIPELINED) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, count);
    outgoing.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    return listener(incoming, outgoing);
  };
}

/**
 * The HTTP server of the product, not listening yet.
 * @param limits replaces some of {@link LIMITS}, for tests that cannot wait
 */
export function createHttpServer(
  fetch: (request: Request, bindings: object) => Response | Promise<Response>,
  limits: Partial<typeof LIMITS> = {},
): Server {
  const { timeout, ...options } = { ...LIMITS, ...limits };
  const server = createServer(options, limitPipelining(getRequestListener(fetch)));
  server.timeout = timeout;
  return server;
}
