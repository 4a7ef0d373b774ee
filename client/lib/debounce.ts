/** How long typing pauses before what was typed is used. */
export const DEBOUNCE_MS = 250;
