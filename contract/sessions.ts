import { instantSchema } from './dates.ts';
import { z } from './validation.ts';

/** How often a visible page refreshes its session. */
export const REFRESH_MINUTES = 10;

/** A session, with the device it is on. */
export const sessionSchema = z.object({
  id: z.string(),
  /** Whether it is the session of the request. */
  current: z.boolean(),
  /** Browser and system in Italian, such as 'Firefox su Windows'. */
  device: z.string(),
  ipAddress: z.string().nullable(),
  createdAt: instantSchema,
  /** When it was last refreshed, to within `REFRESH_MINUTES`. */
  lastUsedAt: instantSchema,
  expiresAt: instantSchema,
});
export type Session = z.infer<typeof sessionSchema>;

/** The session after it was refreshed. */
export const refreshedSessionSchema = z.object({ expiresAt: instantSchema });

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\b(CrOS)\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (table: typeof BROWSERS, text: string) => table.find(([pattern]) => pattern.test(text))?.[1];

/** Describes a browser's User-Agent so that people recognise their device. */
export function describeDevice(userAgent: string | null): string {
  const browser = nameIn(BROWSERS, userAgent ?? '');
  const system = nameIn(SYSTEMS, userAgent ?? '');
  if (browser && system) return `${browser} su ${system}`;
  return browser ?? system ?? 'Dispositivo sconosciuto';
}
