/** In the cache: who is signed in. */
export const ME = ['me'] as const;

/** In the cache: until when what is shown was read (milliseconds since 1970), while no server can be reached; else null. */
export const COPIED_AT = ['copied-at'] as const;

/** In localStorage: the id of the account whose copy `offline-copy.ts` keeps on this device. */
export const COPY_OWNER = 'trasvia:copy-owner';
