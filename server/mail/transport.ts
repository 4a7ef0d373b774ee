import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { domainToASCII } from 'node:url';
import { createTransport } from 'nodemailer';
import { z } from '#contract/validation.ts';
import { ConfigurationError } from '#server/env.ts';
import { CONCURRENCY } from '#server/jobs/boss.ts';
import type { MailMessage, MailTransport } from './message.ts';

const SEND_TIMEOUT_MS = 20_000;

/** An address in a comparable form: its domain in lower case and ASCII. */
function comparable(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return address.slice(0, -domain.length) + (domainToASCII(domain) || domain);
}

/** The message's id alone: an earlier version may have queued it with brackets and a domain. */
function idOf({ messageId }: MailMessage): string {
  return messageId.replace(/^<|@.*$/g, '');
}

function composed(message: MailMessage, from: string) {
  const address = /<([^>]+)>/.exec(from)?.[1] ?? from;
  return {
    // With the domain of the configured sender: another one counts against the message.
    messageId: `<${idOf(message)}${address.slice(address.lastIndexOf('@'))}>`,
    date: message.date,
    from: message.fromName ? { name: message.fromName, address } : from,
    to: [...message.recipients],
    envelope: { from: address, to: [...message.pendingRecipients] },
    // For a contact request this may be a phone number (spec §7), with any text, which a mail server may reject in a
    // header; it is in the body.
    replyTo: z.email().safeParse(message.replyTo).data,
    subject: message.subject,
    text: message.text,
    html: message.html ?? undefined,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function folderTransport(folder: string, from: string): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(message) {
      const { message: bytes } = await composer.sendMail(composed(message, from));
      await mkdir(folder, { recursive: true });
      const name = idOf(message);
      const partial = join(folder, `.${name}.partial`);
      // Synced, then renamed: a message is either missing or complete, even after a power failure.
      const file = await open(partial, 'w');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, join(folder, `${name}.eml`));
      return [];
    },
    close() {},
  };
}

/** What `MAIL_URL` may set besides `tls.…`: nodemailer ignores any other name, such as a misspelt `requireTLS`. */
const SMTP_PARAMETERS = new Set([
  'requireTLS',
  'ignoreTLS',
  'opportunisticTLS',
  'secure',
  'servername',
  'name',
  'localAddress',
  'authMethod',
  'dnsTimeout',
  'maxMessages',
  'rateDelta',
  'rateLimit',
]);

function smtpTransport(url: string, from: string): MailTransport {
  const { hostname, searchParams } = new URL(url);
  if (hostname === '')
    throw new ConfigurationError('MAIL_URL', 'must name a host: smtp://user:password@host:587');
  for (const name of searchParams.keys()) {
    if (!SMTP_PARAMETERS.has(name) && !name.startsWith('tls.'))
      throw new ConfigurationError('MAIL_URL', `has an unknown parameter "${name}"`);
  }
  const smtp = createTransport({
    url,
    pool: true,
    maxConnections: CONCURRENCY,
    connectionTimeout: SEND_TIMEOUT_MS,
    greetingTimeout: SEND_TIMEOUT_MS,
    socketTimeout: SEND_TIMEOUT_MS,
  });
  return {
    async send(message) {
      const { rejected } = await smtp.sendMail(composed(message, from));
      // Rejected addresses are reported as sent to the server: the domain in lower case and ASCII.
      const named = new Set(rejected.map(comparable));
      const refused = message.pendingRecipients.filter((address) => named.has(comparable(address)));
      // If a rejected address is not recognised, send to everybody again rather than miss somebody.
      return refused.length < named.size ? message.pendingRecipients : refused;
    },
    close() {
      smtp.close();
    },
  };
}

/**
 * The send endpoint of spec §7: `emailjs:https://host/path?service=…&template=…&user=…`. Only status 200 is a success.
 */
function endpointTransport(url: string): MailTransport {
  const address = url.slice('emailjs:'.length);
  const endpoint = URL.canParse(address) ? new URL(address) : null;
  const { service, template, user } = Object.fromEntries(endpoint?.searchParams ?? []);
  if (!endpoint || !/^https?:$/.test(endpoint.protocol) || !service || !template || !user) {
    throw new ConfigurationError('MAIL_URL', 'must be emailjs:https://host/path?service=…&template=…&user=…');
  }
  endpoint.search = '';
  return {
    async send(message) {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          service_id: service,
          template_id: template,
          user_id: user,
          template_params: {
            to_email: message.pendingRecipients.join(','),
            subject: message.subject,
            message: message.text,
            from_name: message.fromName ?? '',
            reply_to: message.replyTo ?? '',
          },
        }),
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        redirect: 'error',
      });
      await response.body?.cancel();
      if (response.status !== 200) throw new Error(`mail endpoint answered ${response.status}`);
      return [];
    },
    close() {},
  };
}

/**
 * The transport configured by `MAIL_URL`.
 * @param url null: one `.eml` file per message in `folder`; `smtp(s)://…`; `emailjs:https://…`
 * @param from sender address, with or without a name
 * @throws {ConfigurationError} for an incomplete `emailjs:` URL, and an SMTP one without a host or with an unknown parameter
 */
export function createTransportFor(url: string | null, folder: string, from: string): MailTransport {
  if (url === null) return folderTransport(folder, from);
  return url.startsWith('emailjs:') ? endpointTransport(url) : smtpTransport(url, from);
}
