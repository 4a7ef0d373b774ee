import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail server that speaks SMTP on the loopback. */
export type LocalSmtpServer = { port: number; stop(): Promise<void> };

/** Starts a mail server on a free port; `options` say what it takes and refuses. */
export async function startSmtpServer(options: SMTPServerOptions): Promise<LocalSmtpServer> {
  const smtp = new SMTPServer(options);
  // A connection that breaks in the middle of a message is something senders are tested against, not a failure here.
  smtp.on('error', () => undefined);
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  return { port, stop: () => new Promise((resolve) => smtp.close(() => resolve())) };
}
