import { failureOf, networkError } from './api.ts';

/**
 * Awaits a call that returns a file of `type`. A success of another type comes from something between browser and server,
 * such as a proxy that holds downloads back, and would be saved under the file's name.
 * @throws ApiError for every response that is not a success, or not the server's
 */
export async function answerFile(call: Promise<Response>, type: string): Promise<Blob> {
  const response = await call;
  if (!response.ok) throw await failureOf(response);
  if (!response.headers.get('Content-Type')?.startsWith(type)) throw networkError(false);
  return response.blob();
}
