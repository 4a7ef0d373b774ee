import { DRAFT_PREFIX } from './draft-keys.ts';

/** A random UUID v4. Unlike crypto.randomUUID() it is there also where the page is not served over https. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** An attempt to send something: the key goes with it as Idempotency-Key. */
export type Attempt = { key: string; content: string };

/**
 * The attempt to send `content`: the one before it when nothing changed since, so that what the server already has is not
 * made again; otherwise a new one.
 */
export function attemptOf(content: unknown, before: Attempt | null): Attempt {
  const text = JSON.stringify(content);
  return before?.content === text ? before : { key: randomKey(), content: text };
}

/** The header of a request that carries the key of its attempt. */
export type IdempotencyHeader = { 'idempotency-key': string };

/** The header of a request of its own, which does no harm however often it arrives. */
export function newIdempotencyHeader(): IdempotencyHeader {
  return { 'idempotency-key': randomKey() };
}

/** Where the last attempt of a form stands until that has succeeded. */
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

/** With the draft, which a logout forgets. What the attempt holds is what the draft does. */
function withDraft(name: string): AttemptStore {
  const key = `${DRAFT_PREFIX}${name}:attempt`;
  return {
    read: () => JSON.parse(sessionStorage.getItem(key) ?? 'null'),
    write: (next) =>
      next === null ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, JSON.stringify(next)),
  };
}

/**
 * `send`, so that what it makes is made once: what failed and is sent again unchanged carries the same key. After a success
 * the same content is another attempt.
 * @param draft of a form whose draft outlives a reload: so does its attempt
 */
export function makingOnce<Content, Result>(
  send: (header: IdempotencyHeader, content: Content) => Promise<Result>,
  draft?: string,
): (content: Content) => Promise<Result> {
  const store = draft === undefined ? inMemory() : withDraft(draft);
  return async (content) => {
    const current = attemptOf(content, store.read());
    store.write(current);
    const result = await send({ 'idempotency-key': current.key }, content);
    if (store.read()?.key === current.key) store.write(null);
    return result;
  };
}

/** What a form holds, to be compared: a file by its name, size and age. */
export function contentOf(form: FormData): unknown {
  return [...form].map(([name, value]) =>
    value instanceof File ? [name, value.name, value.size, value.lastModified] : [name, value],
  );
}
