import { toast } from '#client/ui/toast.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { ApiError } from './api.ts';

/**
 * The texts of one attempt (spec §8): without a session, refused by the server (with its reason), failed otherwise. What the
 * server says with the code `literal` is in the words of the specification already.
 */
export type Texts = {
  unauthenticated: string;
  refused?: (reason: string) => string;
  literal?: ErrorCode;
  failed: string;
};

/** What spec §8 says about a failed attempt. */
export function failureText(error: unknown, texts: Texts): string {
  if (!(error instanceof ApiError)) return texts.failed;
  if (error.status === 401) return texts.unauthenticated;
  if (error.code === 'no_data' || error.code === texts.literal) return error.message;
  const refused = error.status >= 400 && error.status < 500;
  if (refused && texts.refused) return texts.refused(error.message);
  return texts.failed;
}

/**
 * `error` with its fields, and the words of spec §8. A mutation must do this inside its `mutationFn`, because the note of an
 * ended session (`noticeEndedSession`) takes its words from the error that comes out of it.
 */
export function worded(error: unknown, texts: Texts): ApiError {
  const message = failureText(error, texts);
  if (!(error instanceof ApiError)) return new ApiError({ status: 0, code: 'internal', message });
  const { status, code, fields, requestId, body, repeatable } = error;
  return new ApiError({ status, code, message, fields, requestId, body, repeatable });
}

/** Whether a write failed because somebody else has deleted the record. */
export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404;
}

/** Shows that in the server's words. The caller's mutation reads the list again (`refetchAfterWrite`). */
export function toastGone(error: ApiError): void {
  toast({ title: error.message, message: 'Non esiste più: la pagina è aggiornata.', kind: 'error' });
}
