/**
 * Whether the side menu is in icon mode (spec §4, §9) is kept in a cookie: written by the page, read by it and by the server,
 * whose document of Home leaves the menu its room. On https its name has the prefix `__Host-`.
 */
export const SIDEBAR_COOKIE = 'sidebar_state';

/** The value of `SIDEBAR_COOKIE` for icon mode. */
export const SIDEBAR_COLLAPSED = 'collapsed';
