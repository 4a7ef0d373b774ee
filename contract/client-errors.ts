import { z } from './validation.ts';

/** An error that happened in a browser, reported for the log. Must not contain personal data. */
export const clientErrorSchema = z.strictObject({
  name: z.string().max(100),
  message: z.string().max(500),
  stack: z.string().max(8_000).optional(),
  /** The path of the page, without its query. */
  page: z.string().max(300),
});

/** The id of the error in the log. */
export const clientErrorAnswerSchema = z.object({ requestId: z.string() });
