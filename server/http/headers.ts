import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';
import type { AppEnv } from './env.ts';

const self = "'self'";
/** No answer may embed plugins or change its base URL. */
const NEVER = ["object-src 'none'", "base-uri 'none'"];
const UNFRAMED = "frame-ancestors 'none'";

/** Content-Security-Policy of answers that are not pages: opened on their own, they load and run nothing. */
const INERT_POLICY = ["default-src 'none'", "form-action 'none'", ...NEVER, UNFRAMED].join('; ');

/** Content-Security-Policy of a page, of the site or the application: inline scripts are not allowed. */
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
  // Not 'none': a PDF that a page shows has the policy of the page, and Safari asks it who may frame the PDF.
  `frame-ancestors ${self}`,
].join('; ');

/** Content-Security-Policy of `/api/docs`, whose library sets style attributes and uses icons in data URLs. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `script-src ${self}`,
  `style-src ${self} 'unsafe-inline'`,
  `img-src ${self} data:`,
  `connect-src ${self}`,
  "form-action 'none'",
  ...NEVER,
  UNFRAMED,
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

/** By default, answers may run nothing; pages set a policy of their own. */
export const inertAnswers = createMiddleware<AppEnv>(async (c, next) => {
  c.header('Content-Security-Policy', INERT_POLICY);
  await next();
});

/** Answers of the API are private, so no cache may keep them. Routes may set their own header. */
export const privateAnswers = createMiddleware<AppEnv>(async (c, next) => {
  c.header('Cache-Control', 'no-store');
  await next();
});
