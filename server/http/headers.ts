import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';
import type { AppEnv } from './env.ts';

const self = "'self'";

/** Content-Security-Policy of the site and the application. The build leaves no inline script in any page. */
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
  `object-src 'none'`,
  `base-uri ${self}`,
  `form-action ${self}`,
  `frame-ancestors 'none'`,
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

/** Answers of the API are nobody else's: no cache keeps them, and they run nothing. Routes may set their own. */
export const privateAnswers = createMiddleware<AppEnv>(async (c, next) => {
  c.header('Cache-Control', 'no-store');
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  await next();
});
