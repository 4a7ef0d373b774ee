import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { until } from './until.ts';

/** The messages that the server wrote as files instead of sending them. */
export type Mailbox = {
  /** Every message so far, oldest first. */
  messages(): Promise<Email[]>;
  /** The message whose subject holds `subject`, once it has arrived. Any further one to the same subject is a failure. */
  received(subject: string): Promise<Email>;
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
  return {
    messages,
    received: (subject) =>
      until(`a message about "${subject}"`, async () => {
        const [message, ...more] = (await messages()).filter((candidate) =>
          candidate.subject?.includes(subject),
        );
        if (more.length > 0) {
          throw new Error(`${more.length + 1} messages about "${subject}"`);
        }
        return message;
      }),
  };
}
