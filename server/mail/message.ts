/** A message as handed to a transport: plain UTF-8 texts; headers are never built from them by hand. */
export type MailMessage = {
  /**
   * The part before the @ of the Message-ID (RFC 5322); the same for every attempt, so that a repeated delivery is
   * recognised. Messages queued by an earlier version have `<id@domain>`.
   */
  messageId: string;
  /** When it was written, independent of when it is sent. */
  date: Date;
  /** All addressees. */
  recipients: readonly string[];
  /** Those of `recipients` not reached yet. */
  pendingRecipients: readonly string[];
  fromName: string | null;
  /**
   * Reply-To. For a contact request without an address this is the visitor's phone number (spec §7), which no mail
   * header can contain: see the transports.
   */
  replyTo: string | null;
  subject: string;
  text: string;
  html: string | null;
};

/** Hands messages over to the outside. */
export type MailTransport = {
  /**
   * Resolves once the other side has accepted responsibility for the message.
   * @returns those of `pendingRecipients` that were refused, usually none
   * @throws when it was accepted for nobody
   */
  send(message: MailMessage): Promise<readonly string[]>;
  /** Closes connections. */
  close(): void;
};
