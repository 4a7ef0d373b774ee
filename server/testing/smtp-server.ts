import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** An SMTP server on loopback. */
export type LocalSmtpServer = { port: number; stop(): Promise<void> };

/** Starts a mail server on a free port; `options` decide what it accepts. */
export async function startSmtpServer(options: SMTPServerOptions): Promise<LocalSmtpServer> {
  const smtp = new SMTPServer(options);
  // Tests break connections in the middle of a message on purpose.
  smtp.on('error', () => undefined);
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  return { port, stop: () => new Promise((resolve) => smtp.close(() => resolve())) };
}
