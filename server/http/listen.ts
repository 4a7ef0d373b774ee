import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Server as TcpServer } from 'node:net';
import { errorCode } from '#server/data-dir.ts';
import { StartError } from '#server/start-error.ts';

/** How long running requests may continue after the server was told to stop. */
const DRAIN_MS = 10_000;

type Address = {
  host: string;
  port: number;
  /** Whether other processes of the product listen on it, too. */
  shared?: boolean;
};

/**
 * Whether the operating system distributes connections among the processes that listen. Elsewhere node:cluster does,
 * and a connection that it gives to a dying worker is never answered.
 */
const SYSTEM_SHARES = process.platform === 'linux';

/**
 * Listens on an address.
 * @param variable the environment variable that sets the port, for the message
 * @throws {StartError} when the address is not available
 */
export async function listen(server: TcpServer, address: Address, variable = 'PORT'): Promise<void> {
  const { host, port, shared = false } = address;
  try {
    await once(server.listen({ port, host, reusePort: shared && SYSTEM_SHARES }), 'listening');
  } catch (cause) {
    const code = errorCode(cause);
    const problem =
      code === 'EADDRINUSE'
        ? `${variable} ${port} on ${host} is in use by another program: stop it or choose another ${variable}`
        : code === 'EACCES'
          ? `${variable} ${port} cannot be used by this user (${code}): choose 1024 or higher`
          : `cannot listen on HOST ${host} (${code})`;
    throw new StartError(problem, { cause });
  }
}

/**
 * Checks that an address is free.
 * @throws {StartError} when the address is not available
 */
export async function expectFreeAddress(address: Address): Promise<void> {
  const probe = createServer((socket) => socket.destroy());
  await listen(probe, address);
  probe.close();
  await once(probe, 'close');
}

/**
 * Refuses new connections, lets running requests finish, and closes each connection when it becomes idle. Closes all
 * that are left after `DRAIN_MS`.
 */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
  });
}
