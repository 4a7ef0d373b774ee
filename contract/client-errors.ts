import { z } from './validation.ts';

/** An error that happened in a browser, reported so that it stands in the log. No person's data belongs into it. */
export const clientErrorSchema = z.strictObject({
  name: z.string().max(100),
  message: z.string().max(500),
  stack: z.string().max(8_000).optional(),
  /** The path of the page, without its query. */
  page: z.string().max(300),
});

/** The id under which the log tells of the error. */
export const clientErrorAnswerSchema = z.object({ requestId: z.string() });
