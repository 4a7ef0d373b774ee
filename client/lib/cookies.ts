const onHttps = () => location.protocol === 'https:';

/** On https, a name prefix that browsers only accept from this very host. */
const prefix = () => (onHttps() ? '__Host-' : '');

/** Whether the cookie `pair`, such as `name=value`, was written by a page. */
export const hasCookie = (pair: string): boolean => document.cookie.split('; ').includes(prefix() + pair);

/** Writes a cookie for all pages. @param cookie `name=value`; without a `max-age` it ends with the browser's session */
export function writeCookie(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari
  document.cookie = `${prefix()}${cookie}; path=/; samesite=lax${onHttps() ? '; secure' : ''}`;
}
