import type { ErrorCode } from '#contract/errors.ts';
import { ApiError } from './api.ts';
import { toast } from './toast.ts';

/**
 * The failure texts of an action (spec §8): without a session (if omitted, the application's own), with the reason for
 * which the server refused it or did not answer, or failed otherwise. The server's message for the code `literal` is
 * already worded as specified.
 */
export type Texts = {
  unauthenticated?: string;
  refused?: (reason: string) => string;
  literal?: ErrorCode;
  failed: string;
};

/** The text for a failed action (spec §8). */
export function failureText(error: unknown, texts: Texts): string {
  if (!(error instanceof ApiError)) return texts.failed;
  if (error.status === 401) return texts.unauthenticated ?? error.message;
  if (error.code === 'no_data' || error.code === texts.literal) return error.message;
  if (error.status < 500 && texts.refused) return texts.refused(error.message);
  return texts.failed;
}

/**
 * `error` with its fields and the text of spec §8. A mutation must call this inside its `mutationFn`, because
 * `noticeEndedSession` takes its text from the mutation's error.
 */
export function worded(error: unknown, texts: Texts): ApiError {
  const message = failureText(error, texts);
  if (!(error instanceof ApiError)) return new ApiError({ status: 0, code: 'internal', message });
  const { status, code, fields, requestId, body, repeatable } = error;
  return new ApiError({ status, code, message, fields, requestId, body, repeatable });
}

/**
 * Whether it is certain that a failed write changed nothing: after a server failure or without a response, it may have
 * been carried out.
 */
export function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

/** Whether a write failed because somebody else deleted the record. */
export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404;
}

/** Shows that with the server's message. The caller's mutation reloads the list (`refetchAfterWrite`). */
export function toastGone(error: ApiError): void {
  toast({ title: error.message, message: 'Non esiste più: la pagina è aggiornata.', kind: 'error' });
}
