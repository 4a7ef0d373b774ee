/** Key prefix of all drafts, in sessionStorage and localStorage. */
export const DRAFT_PREFIX = 'trasvia:draft:';
