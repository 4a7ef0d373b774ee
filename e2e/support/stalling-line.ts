import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A connection that stalls within each page. */
export type StallingLine = { origin: string; stop(): Promise<void> };

/** Longer than a browser needs to paint what it already has. */
const STALL_MS = 2000;

/** Forwards to `origin`; each document stalls after the first `mark`. */
export async function openStallingLine(mark: string, origin: string): Promise<StallingLine> {
  const server = createServer((asked, answer) => {
    // Uncompressed, so that it can be cut.
    const headers = { ...asked.headers, 'accept-encoding': 'identity' };
    const forwarded = request(new URL(asked.url ?? '/', origin), { headers }, async (received) => {
      const { 'content-length': _, ...passed } = received.headers;
      answer.writeHead(received.statusCode ?? 502, passed);
      if (!passed['content-type']?.includes('text/html')) return received.pipe(answer);
      const html = Buffer.concat(await received.toArray()).toString();
      const cut = html.indexOf(mark) + mark.length;
      answer.write(html.slice(0, cut));
      await setTimeout(STALL_MS);
      answer.end(html.slice(cut));
    });
    asked.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
