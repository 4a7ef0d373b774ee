/** A message as the product hands it to a transport: plain UTF-8 texts, no header is ever built from them by hand. */
export type MailMessage = {
  /** RFC 5322 Message-ID with angle brackets; the same at every attempt, so that a repeated delivery folds into one. */
  messageId: string;
  /** When it was written, whenever it is sent. */
  date: Date;
  /** Everybody it is addressed to. */
  recipients: readonly string[];
  /** Those of them it still has to reach. */
  pendingRecipients: readonly string[];
  fromName: string | null;
  /** Reply-To; for a contact request without an address this is the visitor's phone (spec §7), which no mail header can carry: see transports. */
  replyTo: string | null;
  subject: string;
  text: string;
  html: string | null;
};

/** The outside that takes messages over. */
export type MailTransport = {
  /**
   * Resolves once the other side has taken responsibility for the message.
   * @returns those of `pendingRecipients` it was refused for, none as a rule
   * @throws when it was taken for nobody
   */
  send(message: MailMessage): Promise<readonly string[]>;
  /** Lets go of connections. */
  close(): void;
};
