import { z } from '#contract/validation.ts';

// Compiled schemas need `eval`, which the content security policy forbids.
z.config({ jitless: true });
