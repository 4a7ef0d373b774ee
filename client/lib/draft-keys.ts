/** What the key of every draft begins with, in sessionStorage and localStorage. */
export const DRAFT_PREFIX = 'trasvia:draft:';
