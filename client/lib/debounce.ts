/** How long typing has to pause before the text is used. */
export const DEBOUNCE_MS = 250;
