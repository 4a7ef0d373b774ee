/**
 * A cookie stores whether the side menu is in icon mode (spec §4, §9). The page writes and reads it; the server reads
 * it to reserve the menu's width in the document of Home. On https its name has the prefix `__Host-`.
 */
export const SIDEBAR_COOKIE = 'sidebar_state';

/** The value of `SIDEBAR_COOKIE` for icon mode. */
export const SIDEBAR_COLLAPSED = 'collapsed';
