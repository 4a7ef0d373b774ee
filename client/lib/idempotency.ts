/** A random UUID v4. Unlike crypto.randomUUID() it is there also where the page is not served over https. */
function randomKey(): string {
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

/**
 * `send`, so that what it makes is made once: what failed and is sent again unchanged carries the same key. After a success
 * the same content is another attempt.
 */
export function makingOnce<Content, Result>(
  send: (header: IdempotencyHeader, content: Content) => Promise<Result>,
): (content: Content) => Promise<Result> {
  let attempt: Attempt | null = null;
  return async (content) => {
    const current = attemptOf(content, attempt);
    attempt = current;
    const result = await send({ 'idempotency-key': current.key }, content);
    if (attempt === current) attempt = null;
    return result;
  };
}

/** What a form holds, to be compared: a file by its name, size and age. */
export function contentOf(form: FormData): unknown {
  return [...form].map(([name, value]) =>
    value instanceof File ? [name, value.name, value.size, value.lastModified] : [name, value],
  );
}
