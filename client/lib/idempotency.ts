import { tabStorage } from './storage.ts';

/** A random UUID v4. Unlike crypto.randomUUID() it also works without https. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** An attempt to submit something; its key is sent as Idempotency-Key. */
export type Attempt = { key: string; content: string };

/**
 * The attempt to send `content`: the previous one if nothing has changed since, so that the server does not create the
 * record again; otherwise a new one.
 */
export function attemptOf(content: unknown, before: Attempt | null): Attempt {
  const text = JSON.stringify(content);
  return before?.content === text ? before : { key: randomKey(), content: text };
}

/** The header with the key of an attempt. */
export type IdempotencyHeader = { 'idempotency-key': string };

/** The header of a request that is an attempt of its own, without a form. */
export function newIdempotencyHeader(): IdempotencyHeader {
  return { 'idempotency-key': randomKey() };
}

/** Where the last attempt of a form is kept until it succeeds. */
type AttemptStore = { read: () => Attempt | null; write: (attempt: Attempt | null) => void };

function inMemory(): AttemptStore {
  let attempt: Attempt | null = null;
  return {
    read: () => attempt,
    write: (next) => {
      attempt = next;
    },
  };
}

/**
 * Stored beside the draft with the key `draft`, so that a logout removes it too.
 * @param unstored takes what the browser does not store
 */
function withDraft(draft: string, unstored: AttemptStore): AttemptStore {
  const key = `${draft}:attempt`;
  return {
    read: () => {
      try {
        return JSON.parse(tabStorage.read(key) ?? 'null') ?? unstored.read();
      } catch {
        // Damaged: sending is a new attempt, instead of failing until the tab is closed.
        return unstored.read();
      }
    },
    write: (next) => {
      if (next === null) tabStorage.remove(key);
      unstored.write(next && !tabStorage.write(key, JSON.stringify(next)) ? next : null);
    },
  };
}

/**
 * Wraps `send` so that it creates one record: unchanged content sent again after a failure carries the same key. After
 * a success the same content is a new attempt.
 * @param draft key of a draft that survives a reload (`draftKeyOf`); the attempt then does too
 */
export function creatingOnce<Content, Result>(
  send: (header: IdempotencyHeader, content: Content) => Promise<Result>,
  draft?: () => string,
): (content: Content) => Promise<Result> {
  const memory = inMemory();
  return async (content) => {
    // Of the account at this moment: the session may end before the answer.
    const store = draft === undefined ? memory : withDraft(draft(), memory);
    const current = attemptOf(content, store.read());
    store.write(current);
    const result = await send({ 'idempotency-key': current.key }, content);
    if (store.read()?.key === current.key) store.write(null);
    return result;
  };
}

/** The content of a form for comparison: a file is represented by its name, size and modification time. */
export function contentOf(form: FormData): unknown {
  return [...form].map(([name, value]) =>
    value instanceof File ? [name, value.name, value.size, value.lastModified] : [name, value],
  );
}
