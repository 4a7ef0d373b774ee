import { z } from 'zod';
import type { Actor } from './actor.ts';

/** Limits the memory used: a header has a kilobyte or two. */
const MAX_REMEMBERED = 2_000;

/**
 * The actors of Cookie headers whose signatures were verified a moment ago, so that the reads of one page do not each
 * verify them again. A header is matched by its exact text, and believed no longer than the signed cookie in it allows.
 */
export type VerifiedCookies = {
  /** The actor of `header`; undefined when it has to be verified. */
  find(header: string): Actor | undefined;
  /** @param until when `header` must be verified again, in ms since 1970 */
  keep(header: string, actor: Actor, until: number): void;
};

/** Keeps the headers in the memory of this process; when full, drops the one known for longest. */
export function rememberCookies(): VerifiedCookies {
  const known = new Map<string, { actor: Actor; until: number }>();
  return {
    find(header) {
      const entry = known.get(header);
      if (entry && Date.now() < entry.until) return entry.actor;
      known.delete(header);
      return undefined;
    },
    keep(header, actor, until) {
      const [oldest] = known.keys();
      if (known.size >= MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
      known.set(header, { actor, until });
    },
  };
}

const base64url = z.base64url();
const signedSchema = z.object({ expiresAt: z.number(), signature: base64url });

/**
 * Until when the cookie `name` of a Cookie header claims that it may be believed, in ms since 1970. Does not verify it.
 * @returns null when the cookie is missing, unreadable, or present more than once, so that it would be unclear which
 *   one was verified
 */
export function trustedUntil(header: string, name: string): number | null {
  const values = header
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));
  const [value] = values;
  if (value === undefined || values.length > 1) return null;
  try {
    // At most the padding that base64 has: `=+$` would take the square of their number on many that end in another.
    const text = base64url.safeParse(decodeURIComponent(value).replace(/={1,2}$/, '')).data;
    if (text === undefined) return null;
    const signed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return signedSchema.safeParse(signed).data?.expiresAt ?? null;
  } catch {
    return null;
  }
}
