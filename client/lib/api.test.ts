import { afterEach, describe, expect, test, vi } from 'vitest';
import { EXPORT_TYPES } from '#contract/lists.ts';
import { answerFile } from './answer-file.ts';
import {
  ApiError,
  allowReads,
  answer,
  answerWithJson,
  api,
  fileApi,
  refuseReads,
  sendContactRequest,
  upload,
  withFailureText,
} from './api.ts';
import { ME } from './copy-keys.ts';
import { draftKeyOf } from './drafts.ts';
import { attemptOf, contentOf, creatingOnce } from './idempotency.ts';
import { queryClient } from './query-client.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Stubs a server that answers with these statuses in turn. @returns the times of the calls, in ms */
function answering(...statuses: number[]): number[] {
  const calls: number[] = [];
  vi.stubGlobal('fetch', async () => {
    calls.push(performance.now());
    return Response.json({ me: null }, { status: statuses[calls.length - 1] ?? 200 });
  });
  return calls;
}

const contact = {
  nome: 'Ada',
  cognome: 'Neri',
  azienda: null,
  telefono: '+39 06 5550100',
  email: null,
  preferenzaContatto: 'email' as const,
  messaggio: null,
  website: '',
};

/** A timeout, which is never retried automatically. */
const fallenSilent = new ApiError({ status: 0, code: 'silence', message: 'x', repeatable: true });

const ask = () => answer(api.auth.session.$get());

test('a read is retried while the server is unavailable, after 200 ms and then twice as long each time (spec §9)', async () => {
  const calls = answering(503, 502, 504, 200);
  expect(await ask()).toEqual({ me: null });
  const waits = calls.slice(1).map((at, index) => at - (calls[index] ?? 0));
  expect(waits).toHaveLength(3);
  for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(200 * 2 ** index - 2);
});

test('a write is retried only with an Idempotency-Key, because the server may already have done it', async () => {
  const logout = () => answer(api.auth.logout.$post({ query: {} }));
  const once = answering(502, 201);
  await expect(logout()).rejects.toMatchObject({ status: 502 });
  expect(once).toHaveLength(1);
  const sent: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_: unknown, { headers }: RequestInit = {}) => {
    sent.push(new Headers(headers).get('Idempotency-Key'));
    return Response.json({}, { status: sent.length === 1 ? 504 : 201 });
  });
  await sendContactRequest(contact, attemptOf(contact, null));
  expect(sent).toHaveLength(2);
  expect(sent[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(sent[1]).toBe(sent[0]);
});

test('a failure without an answer says whether it is repeatable, and the query client repeats it once (spec §9)', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const failed = (call: Promise<unknown>) => call.catch((error: unknown) => error as ApiError);
  const unkeyed = await failed(answer(api.auth.logout.$post({ query: {} })));
  const keyed = await failed(sendContactRequest(contact, attemptOf(contact, null)));
  expect([unkeyed, keyed]).toMatchObject([{ repeatable: false }, { repeatable: true }]);
  const { queryClient } = await import('./query-client.ts');
  const retry = queryClient.getDefaultOptions().mutations?.retry as (
    count: number,
    error: unknown,
  ) => boolean;
  expect([retry(0, unkeyed), retry(0, keyed), retry(1, keyed)]).toEqual([false, true, false]);
  expect(retry(0, fallenSilent)).toBe(false);
});

test('reads are kept for a day, and retried once unless they were refused or aborted (spec §9)', async () => {
  const { queryClient } = await import('./query-client.ts');
  const { queries } = queryClient.getDefaultOptions();
  expect(queries).toMatchObject({
    gcTime: 86_400_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: true,
    networkMode: 'always',
  });
  const retry = queries?.retry as (count: number, error: unknown) => boolean;
  const failed = (status: number) => new ApiError({ status, code: 'x', message: 'x' });
  expect([404, 500, 0].map((status) => retry(0, failed(status)))).toEqual([false, true, true]);
  expect(retry(0, new DOMException('left', 'AbortError'))).toBe(false);
  expect(retry(1, failed(500))).toBe(false);
  expect(retry(0, fallenSilent)).toBe(false);
});

test('a truncated answer counts as none', async () => {
  const breaking = (status: number) => {
    const head = new TextEncoder().encode('{"items":[');
    let sent = false;
    const body = new ReadableStream({
      pull(controller) {
        if (sent) controller.error(new TypeError('network error'));
        else controller.enqueue(head);
        sent = true;
      },
    });
    vi.stubGlobal('fetch', async () => new Response(body, { status }));
  };
  const unheard = { status: 0, code: 'network', message: expect.stringMatching(/^Connessione assente/) };
  breaking(200);
  await expect(ask()).rejects.toMatchObject({ ...unheard, repeatable: true });
  breaking(200);
  const csv = api.invoices.export.$get({ query: { format: 'csv' } });
  await expect(answerFile(csv, 'text/csv')).rejects.toMatchObject(unheard);
  breaking(200);
  await expect(answer(api.auth.logout.$post({ query: {} }))).rejects.toMatchObject({
    ...unheard,
    repeatable: false,
  });
  breaking(201);
  await expect(sendContactRequest(contact, attemptOf(contact, null))).rejects.toMatchObject({
    ...unheard,
    repeatable: true,
  });
});

test('a success without the JSON that is needed counts as no answer', async () => {
  for (const text of ['null', '', '<html>']) {
    vi.stubGlobal('fetch', async () => new Response(text, { status: 201 }));
    await expect(answerWithJson(api.auth.session.$get())).rejects.toMatchObject({
      status: 0,
      code: 'network',
    });
  }
});

describe('a stalled request', () => {
  const unheard = { status: 0, code: 'silence', message: expect.stringMatching(/^Connessione assente/) };

  /** Stubs a server that sends `pieces` of an answer, one every 40 seconds, and then nothing. */
  function silentAfter(...pieces: string[]) {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', async (_: unknown, { signal }: RequestInit = {}) => {
      const givenUp = new Promise<never>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
      if (pieces.length === 0) return givenUp;
      const body = new ReadableStream({
        async pull(controller) {
          const piece = pieces.shift();
          const next = new Promise((resolve) => setTimeout(resolve, 40_000));
          await (piece === undefined ? givenUp : Promise.race([next, givenUp]));
          controller.enqueue(new TextEncoder().encode(piece));
        },
      });
      return new Response(body);
    });
  }

  /** What a call has failed with, or undefined. */
  function failureOf(call: Promise<unknown>): () => unknown {
    let failure: unknown;
    call.catch((error: unknown) => {
      failure = error;
    });
    return () => failure;
  }

  test('fails like one without a connection, and says whether it is repeatable', async () => {
    silentAfter();
    const read = failureOf(ask());
    const unkeyed = failureOf(answer(api.auth.logout.$post({ query: {} })));
    const keyed = failureOf(sendContactRequest(contact, attemptOf(contact, null)));
    await vi.advanceTimersByTimeAsync(44_000);
    expect([read(), unkeyed(), keyed()]).toEqual([undefined, undefined, undefined]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([read(), unkeyed(), keyed()]).toMatchObject([
      { ...unheard, repeatable: true },
      { ...unheard, repeatable: false },
      { ...unheard, repeatable: true },
    ]);
  });

  test('fails only after data stops arriving, however long the answer takes', async () => {
    silentAfter('[', '1', ',');
    const read = failureOf(ask());
    await vi.advanceTimersByTimeAsync(120_000 + 44_000);
    expect(read()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1000);
    expect(read()).toMatchObject(unheard);
  });

  test('has more time if it generates a file', async () => {
    silentAfter();
    const file = fileApi.invoices.export.$get({ query: { format: 'xlsx' } });
    const download = failureOf(answerFile(file, EXPORT_TYPES.xlsx));
    await vi.advanceTimersByTimeAsync(179_000);
    expect(download()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1000);
    expect(download()).toMatchObject(unheard);
  });

  test('that uploads a file fails if the upload stalls, and has more time once all of it is sent', async () => {
    vi.useFakeTimers();
    let sending: Sending | undefined;
    class Sending {
      upload: { onprogress?: (progress: { loaded: number; total: number }) => void } = {};
      onabort = () => {};
      open() {}
      setRequestHeader() {}
      send() {
        sending = this;
      }
      abort() {
        this.onabort();
      }
    }
    vi.stubGlobal('XMLHttpRequest', Sending);
    const send = () => failureOf(upload('PUT', '/admin/invoices/1/file', new FormData(), () => {}));
    const sent = (loaded: number) => sending?.upload.onprogress?.({ loaded, total: 10 });

    const stuck = send();
    for (const part of [1, 2, 3]) {
      await vi.advanceTimersByTimeAsync(40_000);
      sent(part);
    }
    expect(stuck()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(45_000);
    expect(stuck()).toMatchObject({ ...unheard, repeatable: false });

    const unanswered = send();
    sent(10);
    await vi.advanceTimersByTimeAsync(179_000);
    expect(unanswered()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1000);
    expect(unanswered()).toMatchObject(unheard);
  });

  test('that its caller aborts does not count as a connection failure', async () => {
    silentAfter();
    const leaving = new AbortController();
    const read = failureOf(answer(api.auth.session.$get({}, { init: { signal: leaving.signal } })));
    leaving.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(read()).toMatchObject({ name: 'AbortError' });
  });
});

test('an empty 201 returns undefined, and any other answer without JSON counts as none of the server', async () => {
  const words = (body: string, status: number) =>
    vi.stubGlobal('fetch', async () => new Response(body, { status }));
  words('', 201);
  expect(await answer(api.auth.logout.$post({ query: {} }))).toBeUndefined();
  for (const body of ['', '<title>Accedi al Wi-Fi</title>']) {
    words(body, 200);
    await expect(ask()).rejects.toMatchObject({ status: 0, code: 'network' });
  }
});

test('the page of a proxy is not taken for an exported list', async () => {
  const exported = (type: string) => {
    vi.stubGlobal('fetch', async () => new Response('Numero', { headers: { 'Content-Type': type } }));
    return answerFile(fileApi.invoices.export.$get({ query: { format: 'csv' } }), EXPORT_TYPES.csv);
  };
  expect(await (await exported('text/csv; charset=utf-8')).text()).toBe('Numero');
  await expect(exported('text/html; charset=utf-8')).rejects.toMatchObject({ status: 0, code: 'network' });
});

test('an upload is retried with its key while the server is unavailable; without a key it is sent once', async () => {
  const keys: (string | null)[] = [];
  const answers = [502, 503, 201, 504];
  class Sending {
    upload = {};
    status = 0;
    responseText = '{"made":true}';
    onload = () => {};
    private key: string | null = null;
    open() {}
    setRequestHeader(_: string, key: string) {
      this.key = key;
    }
    send() {
      keys.push(this.key);
      this.status = answers.shift() ?? 200;
      this.onload();
    }
  }
  vi.stubGlobal('XMLHttpRequest', Sending);
  expect(await upload('POST', '/invoices', new FormData(), () => {}, 'key')).toEqual({ made: true });
  expect(keys).toEqual(['key', 'key', 'key']);
  await expect(upload('PUT', '/admin/invoices/1/file', new FormData(), () => {})).rejects.toMatchObject({
    status: 504,
  });
  expect(keys).toHaveLength(4);
});

test.for([
  ['a failed request', undefined],
  ['a failed request whose key cannot be stored', () => 'draft'],
] as const)(
  '%s is repeated with its key; other content, or the same after a success, gets a new one',
  async ([, draft]) => {
    const keys: string[] = [];
    let failing = true;
    const send = creatingOnce(async (header, _content: string) => {
      keys.push(header['idempotency-key']);
      if (failing) throw new Error('unheard');
    }, draft);
    await expect(send('a')).rejects.toThrow();
    await expect(send('a')).rejects.toThrow();
    await expect(send('b')).rejects.toThrow();
    failing = false;
    await send('b');
    await send('b');
    expect(keys[1]).toBe(keys[0]);
    expect(keys[3]).toBe(keys[2]);
    expect(new Set(keys).size).toBe(3);
  },
);

test('a late success does not end the attempt that was begun after it', async () => {
  const keys: string[] = [];
  const answers = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const send = creatingOnce(async (header, _content: string) => {
    await answers[keys.push(header['idempotency-key']) - 1]?.promise;
  });
  const early = send('a');
  const later = send('b');
  answers[1]?.reject(new Error('unheard'));
  await expect(later).rejects.toThrow();
  answers[0]?.resolve();
  await early;
  answers[2]?.resolve();
  await send('b');
  expect(keys[2]).toBe(keys[1]);
});

test('a form with a changed file of the same name and size is another attempt', () => {
  const attempt = (lastModified: number) => {
    const form = new FormData();
    form.set('file', new File(['%PDF-'], 'a.pdf', { lastModified }));
    return attemptOf(contentOf(form), null).content;
  };
  expect(attempt(1)).toBe(attempt(1));
  expect(attempt(2)).not.toBe(attempt(1));
});

test('the attempt beside a draft belongs to the account, and survives until it succeeds', async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  const keys: string[] = [];
  let failing = true;
  const send = creatingOnce(
    async (header, _content: string) => {
      keys.push(header['idempotency-key']);
      queryClient.setQueryData(ME, null);
      if (failing) throw new Error('unheard');
    },
    () => draftKeyOf('support'),
  );
  const sendAs = (id: string) => {
    queryClient.setQueryData(ME, { id });
    return send('a');
  };
  await expect(sendAs('one')).rejects.toThrow();
  await expect(sendAs('other')).rejects.toThrow();
  failing = false;
  await sendAs('one');
  expect(keys[1]).not.toBe(keys[0]);
  expect(keys[2]).toBe(keys[0]);
  expect([...kept.keys()]).toEqual(['trasvia:draft:other:support:attempt']);
});

test('an unavailable server is given up after four attempts, and any other failure is reported at once', async () => {
  answering(503, 503, 503, 503);
  await expect(ask()).rejects.toMatchObject({ status: 503 });
  const calls = answering(500);
  await expect(ask()).rejects.toMatchObject({ status: 500 });
  expect(calls).toHaveLength(1);
});

test('a server error is shown in the words of the specification, a refusal in its own', async () => {
  const failed = (status: number) =>
    withFailureText(
      'parole nostre',
      Promise.reject(new ApiError({ status, code: 'x', message: 'parole sue' })),
    );
  await expect(failed(500)).rejects.toThrow('parole nostre');
  await expect(failed(422)).rejects.toThrow('parole sue');
  await expect(failed(0)).rejects.toThrow('parole sue');
});

test('leaving an account aborts its reads but not its writes, and blocks new reads until they are allowed again', async () => {
  const sent: (string | undefined)[] = [];
  vi.stubGlobal('fetch', async (_: unknown, { method, signal }: RequestInit = {}) => {
    signal?.throwIfAborted();
    sent.push(method);
    await new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      if (method === 'POST') setImmediate(resolve);
    });
    return new Response(null, { status: 204 });
  });
  const read = ask();
  const write = answer(api.auth.logout.$post({ query: {} }));
  refuseReads();
  await expect(read).rejects.toMatchObject({ name: 'AbortError' });
  await expect(write).resolves.toBeUndefined();
  await expect(ask()).rejects.toMatchObject({ name: 'AbortError' });
  expect(sent).toEqual(['GET', 'POST']);
  allowReads();
  const again = ask();
  expect(sent).toEqual(['GET', 'POST', 'GET']);
  refuseReads();
  await expect(again).rejects.toMatchObject({ name: 'AbortError' });
  allowReads();
});
