import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Behaviour of the proxy: forwards, refuses connections, delays bytes, or resets connections in the middle. */
export type Fault = 'none' | 'down' | 'slow' | 'reset';

/** A TCP proxy on loopback that simulates faults. */
export type FaultyProxy = {
  port: number;
  /** Sets how new connections behave and closes the open ones. */
  set(fault: Fault): void;
  stop(): Promise<void>;
};

/** Delay of a slow service, in milliseconds. */
const DELAY_MS = 300;

/** Starts a proxy in front of `targetPort` on loopback. */
export async function startFaultyProxy(targetPort: number): Promise<FaultyProxy> {
  let fault: Fault = 'none';
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  };
  const server = createServer((client) => {
    keep(client);
    if (fault === 'down') {
      client.resetAndDestroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    keep(target);
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (chunk) => {
        if (fault === 'reset') {
          client.resetAndDestroy();
          target.destroy();
        } else if (fault === 'slow') {
          setTimeout(() => to.writable && to.write(chunk), DELAY_MS);
        } else {
          to.write(chunk);
        }
      });
      from.on('end', () => setTimeout(() => to.end(), fault === 'slow' ? DELAY_MS : 0));
      from.on('close', () => setTimeout(() => to.destroy(), fault === 'slow' ? DELAY_MS : 0));
    };
    pass(client, target);
    pass(target, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    set(wanted) {
      fault = wanted;
      cut();
    },
    async stop() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
