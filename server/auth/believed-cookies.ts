import { z } from 'zod';
import type { Actor } from './actor.ts';

/** A header is a kilobyte or two. */
const MAX_REMEMBERED = 2_000;

/**
 * Who Cookie headers stand for whose signatures were verified a moment ago, so that the reads of one page do not verify
 * them again each. A header is known by its exact text, and for no longer than the signed cookie in it says.
 */
export type BelievedCookies = {
  /** Who `header` was found to stand for; undefined when it has to be verified. */
  find(header: string): Actor | undefined;
  /** @param until when `header` is to be verified again, in ms since 1970 */
  keep(header: string, actor: Actor, until: number): void;
};

/** A memory of one process; the longest known leave it first. */
export function rememberCookies(): BelievedCookies {
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

const signedSchema = z.object({ expiresAt: z.number(), signature: z.base64url() });

/**
 * Until when the cookie `name` of a Cookie header says that it may be believed, in ms since 1970. It is not verified here.
 * @returns null when the cookie is missing, unreadable, or there more than once, so that it would not be clear which
 *   of them was verified
 */
export function believableUntil(header: string, name: string): number | null {
  const values = header
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));
  const [value] = values;
  if (value === undefined || values.length > 1) return null;
  try {
    const text = z.base64url().parse(decodeURIComponent(value).replace(/=+$/, ''));
    const signed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return signedSchema.safeParse(signed).data?.expiresAt ?? null;
  } catch {
    return null;
  }
}
