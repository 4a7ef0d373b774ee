/** How long typing pauses before what was typed is looked for. */
export const TYPING_PAUSE_MS = 250;
