import { useCallback, useState } from 'react';
import { hasCookie, writeCookie } from '#client/lib/cookies.ts';
import { SIDEBAR_COLLAPSED, SIDEBAR_COOKIE } from '#contract/sidebar.ts';

/** Seven days (spec §9). */
const MAX_AGE_SECONDS = 7 * 86_400;

/** Whether the side menu was left collapsed on this device. */
const readCollapsed = () => hasCookie(`${SIDEBAR_COOKIE}=${SIDEBAR_COLLAPSED}`);

/** Whether the side menu is expanded or in icon mode; kept in a cookie for seven days (spec §4, §9). */
export function useSidebar() {
  const [collapsed, setCollapsed] = useState(readCollapsed);
  const toggle = useCallback(() => {
    const state = collapsed ? 'expanded' : SIDEBAR_COLLAPSED;
    writeCookie(`${SIDEBAR_COOKIE}=${state}; max-age=${MAX_AGE_SECONDS}`);
    setCollapsed(!collapsed);
  }, [collapsed]);
  return { collapsed, toggle };
}
