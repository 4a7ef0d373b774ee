import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';
import type { AppEnv } from './env.ts';

const self = "'self'";
/** No answer embeds a plugin, moves the base of its addresses, or stands in a frame. */
const NEVER = ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"];

/** Content-Security-Policy of whatever is no page: opened on its own, it loads and runs nothing. */
const INERT_POLICY = ["default-src 'none'", "form-action 'none'", ...NEVER].join('; ');

/** Content-Security-Policy of a page, of the site as of the application: no script stands in it. */
export const PAGE_POLICY = [
  `default-src ${self}`,
  `script-src ${self}`,
  // Prerendered pages carry their critical CSS inline and components position themselves with style attributes.
  `style-src ${self} 'unsafe-inline'`,
  // A profile picture may be any https address (spec §3).
  `img-src ${self} data: blob: https:`,
  `font-src ${self}`,
  `connect-src ${self}`,
  `frame-src ${self} blob:`,
  `form-action ${self}`,
  ...NEVER,
].join('; ');

/** Content-Security-Policy of `/api/docs`, whose library writes style attributes and draws icons as data. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `script-src ${self}`,
  `style-src ${self} 'unsafe-inline'`,
  `img-src ${self} data:`,
  `connect-src ${self}`,
  "form-action 'none'",
  ...NEVER,
].join('; ');

/** Headers of every answer. HSTS only where the public address is https. */
export function securityHeaders(publicUrl: string) {
  return secureHeaders({
    strictTransportSecurity: publicUrl.startsWith('https:') ? 'max-age=63072000; includeSubDomains' : false,
    xFrameOptions: 'DENY',
    referrerPolicy: 'strict-origin-when-cross-origin',
    crossOriginResourcePolicy: 'same-origin',
    crossOriginOpenerPolicy: 'same-origin',
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [], usb: [] },
  });
}

/** Every answer runs nothing; pages set a policy of their own. */
export const inertAnswers = createMiddleware<AppEnv>(async (c, next) => {
  c.header('Content-Security-Policy', INERT_POLICY);
  await next();
});

/** Answers of the API are nobody else's: no cache keeps them. Routes may set their own. */
export const privateAnswers = createMiddleware<AppEnv>(async (c, next) => {
  c.header('Cache-Control', 'no-store');
  await next();
});
