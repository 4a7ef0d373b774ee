import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { until } from './until.ts';

/** The messages that the server wrote as files instead of sending them. */
export type Mailbox = {
  /** Every message so far, oldest first. */
  messages(): Promise<Email[]>;
  /** Waits for the message whose subject contains `subject`; it must stay the only one (`requireSingle`). */
  received(subject: string): Promise<Email>;
  /**
   * Call it at the end, when nothing more is sent.
   * @throws {Error} naming the subjects passed to `received` for which there is more than one message
   */
  requireSingle(): Promise<void>;
};

/** @param folder where the mail transport writes `.eml` files; it need not exist yet */
export function openMailbox(folder: string): Mailbox {
  const messages = async () => {
    const names = await readdir(folder).catch(() => []);
    const files = names.filter((name) => name.endsWith('.eml'));
    const parsed = await Promise.all(
      files.map(async (file) => PostalMime.parse(await readFile(join(folder, file)))),
    );
    return parsed.sort((one, other) => (one.date ?? '').localeCompare(other.date ?? ''));
  };
  const awaited = new Set<string>();
  const isAbout = (subject: string) => (message: Email) => message.subject?.includes(subject);
  return {
    messages,
    received(subject) {
      awaited.add(subject);
      return until(`a message about "${subject}"`, async () => (await messages()).find(isAbout(subject)));
    },
    async requireSingle() {
      const all = await messages();
      const repeated = [...awaited].filter((subject) => all.filter(isAbout(subject)).length > 1);
      if (repeated.length > 0) throw new Error(`sent more than once: ${repeated.join(', ')}`);
    },
  };
}

/** Waits for the mail about `subject` to `address`. @returns the token or code that `pattern` captures in it */
export function mailed(mailbox: Mailbox, address: string, subject: string, pattern: RegExp): Promise<string> {
  return until(`a mail to ${address} about ${subject}`, async () => {
    const messages = await mailbox.messages();
    const message = messages.findLast(
      ({ to, subject: about }) => to?.some((one) => one.address === address) && about?.includes(subject),
    );
    return pattern.exec(message?.text ?? '')?.[1];
  });
}
