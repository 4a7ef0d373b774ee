/** A message as the product hands it to a transport: plain UTF-8 texts, no header is ever built from them by hand. */
export type MailMessage = {
  /** RFC 5322 Message-ID with angle brackets; the same at every attempt, so that a repeated delivery folds into one. */
  messageId: string;
  recipients: readonly string[];
  fromName: string | null;
  /** Reply-To; for a contact request this is the visitor's phone (spec §7), which no mail header can carry: see transports. */
  replyTo: string | null;
  subject: string;
  text: string;
  html: string | null;
};

/** Hands a message over. Resolves once the other side has taken responsibility for it, rejects otherwise. */
export type MailTransport = {
  send(message: MailMessage): Promise<void>;
  /** Whether the other side answers. */
  close(): void;
};
