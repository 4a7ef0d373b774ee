import { useCallback, useState } from 'react';

const COOKIE = 'sidebar_state';
/** Seven days (spec §9). */
const MAX_AGE_SECONDS = 7 * 86_400;

/** Whether the side menu was left collapsed on this device. */
function readCollapsed(): boolean {
  return document.cookie.split('; ').includes(`${COOKIE}=collapsed`);
}

/** The side menu expanded or in icon mode; kept in a cookie for seven days (spec §4, §9). */
export function useSidebar() {
  const [collapsed, setCollapsed] = useState(readCollapsed);
  const toggle = useCallback(() => {
    setCollapsed((was) => {
      const state = was ? 'expanded' : 'collapsed';
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari
      document.cookie = `${COOKIE}=${state}; path=/app; max-age=${MAX_AGE_SECONDS}; samesite=lax`;
      return !was;
    });
  }, []);
  return { collapsed, toggle };
}
