/** Query key of the signed-in account. */
export const ME = ['me'] as const;

/**
 * Query key of the time at which the shown data was read (milliseconds since 1970) while no server can be reached, else
 * null.
 */
export const COPIED_AT = ['copied-at'] as const;

const OF_THE_PAGE: ReadonlySet<unknown> = new Set([ME[0], COPIED_AT[0]]);

/** Whether a query belongs to the page itself (`ME`, `COPIED_AT`) and is not data read for an account. */
export const belongsToPage = (queryKey: readonly unknown[]): boolean => OF_THE_PAGE.has(queryKey[0]);

/** In localStorage: the id of the account whose data `offline-copy.ts` keeps on this device. */
export const COPY_OWNER = 'trasvia:copy-owner';
