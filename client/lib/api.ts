import { hc } from 'hono/client';
import type { ContactRequest } from '#contract/contact-requests.ts';
import { COMMON_TEXTS, errorBodySchema } from '#contract/error-body.ts';
import type { Api } from '#server/app.ts';
import type { Attempt } from './idempotency.ts';

/**
 * Pauses before a repeatable request is sent again after a response of a server that is starting or stopping (502, 503,
 * 504): spec §9.
 */
const BACKOFF_MS = [200, 400, 800] as const;
const RETRYABLE = new Set([502, 503, 504]);
/**
 * How long a request may go without progress, in milliseconds: a chunk of the response, or of the form being sent.
 * Longer than the 30 seconds after which the server aborts a database statement and reports it.
 */
const SILENCE_MS = 45_000;
/**
 * The same for a large file that is generated, or sent without progress events: as long as the server allows any
 * request.
 */
const FILE_SILENCE_MS = 180_000;
const NETWORK_MESSAGE = 'Connessione assente o instabile. Controlla la rete e riprova.';

/** A failed call: the server's code and Italian message, and the message of each invalid field. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /**
   * Code of contract/errors.ts, or of the client itself: 'network', 'silence' when it was aborted after too long without
   * progress, 'unreadable_file' when the browser refused to read what is to be sent, 'no_data' for an empty answer to a
   * creation, 'no_session' for a login whose cookie was not stored.
   */
  readonly code: string;
  readonly fields: Record<string, string>;
  readonly requestId: string | undefined;
  /** The whole response, for failures that contain more than a message. */
  readonly body: unknown;
  /** Whether there was no response and the request can be repeated without side effects. */
  readonly repeatable: boolean;

  constructor(failure: {
    status: number;
    code: string;
    message: string;
    fields?: Record<string, string> | undefined;
    requestId?: string | undefined;
    body?: unknown;
    repeatable?: boolean;
  }) {
    super(failure.message);
    this.status = failure.status;
    this.code = failure.code;
    this.fields = failure.fields ?? {};
    this.requestId = failure.requestId;
    this.body = failure.body;
    this.repeatable = failure.repeatable ?? false;
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let reads = new AbortController();

/** Aborts all reads in progress and prevents new ones while leaving an account, whose session will be gone by then. */
export function refuseReads(): void {
  reads.abort();
}

/** Allows reads again after `refuseReads`. */
export function allowReads(): void {
  if (reads.signal.aborted) reads = new AbortController();
}

/**
 * Whether a request can safely be repeated. A server whose response was lost may still have done the work, so a write
 * is repeated only if it carries a key by which the server recognises it.
 */
function isRepeatable({ method = 'GET', headers }: RequestInit): boolean {
  return method === 'GET' || method === 'HEAD' || new Headers(headers).has('Idempotency-Key');
}

/** The failure of a call without a response of the server. */
export const networkError = (repeatable: boolean, code: 'network' | 'silence' = 'network') =>
  new ApiError({ status: 0, code, message: NETWORK_MESSAGE, repeatable });

/**
 * The response of `send`; a repeatable request is sent again after 200, 400 and 800 ms while the server is unreachable.
 */
async function persist(repeatable: boolean, send: () => Promise<Response>): Promise<Response> {
  for (const ms of repeatable ? BACKOFF_MS : []) {
    const response = await send();
    if (!RETRYABLE.has(response.status)) return response;
    await wait(ms);
  }
  return send();
}

/** Returns a `signal` that aborts `silence` milliseconds after the last call of `heard`. */
function listen(silence: number) {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const heard = (ms = silence) => {
    clearTimeout(timer);
    timer = setTimeout(() => over.abort(), ms);
  };
  heard();
  return { signal: over.signal, heard, stop: () => clearTimeout(timer) };
}

/** The response with its complete body, calling `heard` for each chunk; rejects if it breaks off. */
async function wholeOf(response: Response, heard: () => void): Promise<Response> {
  heard();
  const pieces = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, following) {
      heard();
      following.enqueue(piece);
    },
  });
  const body = await new Response(response.body?.pipeThrough(pieces)).arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, response);
}

/** Sends a request, repeated as in `persist` if repeatable. Rejects only without a complete response. */
async function request(
  input: RequestInfo | URL,
  init: RequestInit = {},
  silence = SILENCE_MS,
): Promise<Response> {
  const repeatable = isRepeatable(init);
  const own = init.signal ? [init.signal] : [];
  const givenUp = AbortSignal.any(init.method === 'GET' ? [...own, reads.signal] : own);
  return persist(repeatable, async () => {
    const { signal, heard, stop } = listen(silence);
    try {
      const response = await fetch(input, { ...init, signal: AbortSignal.any([givenUp, signal]) });
      return await wholeOf(response, heard);
    } catch (cause) {
      if (givenUp.aborted) throw cause;
      throw networkError(repeatable, signal.aborted ? 'silence' : 'network');
    } finally {
      stop();
    }
  });
}

const clientFor = (silence: number) =>
  hc<Api>('/api', { fetch: (input: RequestInfo | URL, init?: RequestInit) => request(input, init, silence) });

/** The API, typed by the server: `api.projects.$get({query})`. Pass the response to `answer()`. */
export const api = clientFor(SILENCE_MS);

/** The same for a large file that is generated, or sent without `upload`: it waits longer for progress. */
export const fileApi = clientFor(FILE_SILENCE_MS);

/** What a response that is not a success says. */
export async function failureOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const parsed = errorBodySchema.safeParse(body);
  if (parsed.success) return new ApiError({ status: response.status, ...parsed.data.error, body });
  return new ApiError({ status: response.status, code: 'internal', message: COMMON_TEXTS.internal, body });
}

/** The JSON of a typed response, or undefined. */
type Payload<Answer> = Answer extends { json(): Promise<infer Value> } ? Value : undefined;

/**
 * Awaits a typed call and parses its JSON. A 201 or 202 without JSON returns undefined, so that the caller can tell
 * (spec §8); any other success without JSON comes from something between browser and server.
 * @throws ApiError for every response that is not a success, or not the server's
 */
export async function answer<Answer extends Pick<Response, 'ok' | 'status' | 'json'>>(
  call: Promise<Answer>,
): Promise<Payload<Answer>> {
  const response = await call;
  if (!response.ok) throw await failureOf(response as unknown as Response);
  if (response.status === 204) return undefined as Payload<Answer>;
  return response.json().catch(() => {
    if (response.status === 200) throw networkError(false);
  }) as Promise<Payload<Answer>>;
}

/**
 * Awaits a typed call whose JSON is needed, so that a success without it comes from something between browser and server.
 * @throws ApiError for every response that is not a success, or not the server's
 */
export async function answerWithJson<Answer extends Pick<Response, 'ok' | 'status' | 'json'>>(
  call: Promise<Answer>,
): Promise<NonNullable<Payload<Answer>>> {
  const json = await answer(call);
  if (json === undefined || json === null) throw networkError(false);
  return json;
}

/**
 * Awaits a call whose failure text is specified (§8).
 * @throws ApiError with the text `failed` when the server failed; refusals and connection errors keep their own
 */
export async function withFailureText<Result>(failed: string, call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 500) throw error;
    const { status, code, requestId } = error;
    throw new ApiError({ status, code, message: failed, requestId });
  }
}

/** Sends a form once and reports progress. Rejects only without a response. */
function sendForm(
  method: 'POST' | 'PUT',
  path: string,
  form: FormData,
  onProgress: (part: number) => void,
  key: string | null,
): Promise<Response> {
  const { signal, heard, stop } = listen(SILENCE_MS);
  return new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, `/api${path}`);
    if (key) request.setRequestHeader('Idempotency-Key', key);
    request.upload.onprogress = ({ loaded, total }) => {
      // Data the device reports as sent may still be in transit, and has yet to be stored.
      heard(loaded < total ? SILENCE_MS : FILE_SILENCE_MS);
      onProgress(total === 0 ? 0 : loaded / total);
    };
    signal.onabort = () => request.abort();
    request.onerror = () => reject(networkError(key !== null));
    request.onabort = () => reject(networkError(key !== null, 'silence'));
    request.onload = () => {
      const { status, responseText } = request;
      resolve(new Response(responseText || null, { status }));
    };
    request.send(form);
  }).finally(stop);
}

/**
 * Sends a form that may contain files and reports progress, which `fetch` cannot. With a key it is repeated like other
 * requests.
 * @param onProgress called with the fraction sent so far, 0 to 1; restarts at 0 when the form is sent again
 * @param key identifies the attempt, so that repeats create one record; null to send only once
 * @returns the JSON of the response, undefined when it has none
 * @throws ApiError for every response that is not a success, and without a response
 */
export function upload(
  method: 'POST' | 'PUT',
  path: string,
  form: FormData,
  onProgress: (part: number) => void,
  key: string | null = null,
): Promise<unknown> {
  return answer(persist(key !== null, () => sendForm(method, path, form, onProgress, key)));
}

/**
 * Reports a browser error to the server's log, without anything the user has typed.
 * @returns the id of the log entry; null when it could not be reported
 */
export async function reportError(error: unknown): Promise<string | null> {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const report = {
    name: name.slice(0, 100),
    message: message.slice(0, 500),
    stack: stack?.slice(0, 8_000),
    page: location.pathname.slice(0, 300),
  };
  try {
    const { requestId } = await answer(api['client-errors'].$post({ json: report }));
    return requestId;
  } catch {
    return null;
  }
}

/**
 * Sends the contact form of the public site. Not with the typed client: the route accepts forms as well as JSON (spec
 * §2: the site works without JavaScript), and the client would require both bodies. Rejects with ApiError for every
 * response that is not a success.
 */
export async function sendContactRequest(contact: ContactRequest, { key }: Attempt): Promise<void> {
  const response = await request('/api/contact-requests', {
    method: 'POST',
    headers: { 'idempotency-key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(contact),
  });
  if (!response.ok) throw await failureOf(response);
}
