import { useCallback, useState } from 'react';
import { SIDEBAR_COLLAPSED, SIDEBAR_COOKIE } from '#contract/sidebar.ts';

/** Seven days (spec §9). */
const MAX_AGE_SECONDS = 7 * 86_400;

const onHttps = () => location.protocol === 'https:';

/** On https, a name prefix that browsers only accept from this very host. */
const cookieName = () => (onHttps() ? `__Host-${SIDEBAR_COOKIE}` : SIDEBAR_COOKIE);

/** Whether the side menu was left collapsed on this device. */
function readCollapsed(): boolean {
  return document.cookie.split('; ').includes(`${cookieName()}=${SIDEBAR_COLLAPSED}`);
}

/** Whether the side menu is expanded or in icon mode; kept in a cookie for seven days (spec §4, §9). */
export function useSidebar() {
  const [collapsed, setCollapsed] = useState(readCollapsed);
  const toggle = useCallback(() => {
    const state = collapsed ? 'expanded' : SIDEBAR_COLLAPSED;
    const secure = onHttps() ? '; secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari
    document.cookie = `${cookieName()}=${state}; path=/; max-age=${MAX_AGE_SECONDS}; samesite=lax${secure}`;
    setCollapsed(!collapsed);
  }, [collapsed]);
  return { collapsed, toggle };
}
