import { once } from 'node:events';
import { Agent, get, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpServer } from './listener.ts';

const tellSize = async (request: Request) =>
  new Response(`${(await request.arrayBuffer()).byteLength} bytes`);
const server = createHttpServer(tellSize);
/** With timeouts short enough for a test. */
const impatient = createHttpServer(tellSize, {
  headersTimeout: 300,
  requestTimeout: 600,
  connectionsCheckingInterval: 50,
  timeout: 2_000,
});

beforeAll(async () => {
  for (const each of [server, impatient]) {
    each.listen(0, '127.0.0.1');
    await once(each, 'listening');
  }
});

afterAll(() => {
  for (const each of [server, impatient]) {
    each.closeAllConnections();
    each.close();
  }
});

const portOf = (listener: Server) => (listener.address() as AddressInfo).port;

/** What a slow client reads: a 408, or nothing if the connection is cut first. */
const CUT = ['HTTP/1.1 408 Request Timeout', ''];

/** Sends `text`, then `drip` again and again until the server closes the connection. @returns the status line */
async function answerTo(listener: Server, text: string, drip = ''): Promise<string> {
  const socket: Socket = connect(portOf(listener), '127.0.0.1');
  await once(socket, 'connect');
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(text);
  const dripping = setInterval(() => drip && socket.writable && socket.write(drip), 20);
  await new Promise((resolve) => socket.on('close', resolve));
  clearInterval(dripping);
  return answer.split('\r\n')[0] ?? '';
}

const SLOW_HEAD = 'GET / HTTP/1.1\r\nHost: x\r\nX-';

describe('a malicious client', () => {
  test('that sends headers a byte at a time delays nobody, even on 200 connections', async () => {
    const slow = Array.from({ length: 200 }, () => answerTo(server, SLOW_HEAD, 'a'));
    const quick = await fetch(`http://127.0.0.1:${portOf(server)}/`);
    expect(quick.status).toBe(200);
    server.closeAllConnections();
    await Promise.all(slow);
  });

  test('that sends headers a byte at a time is disconnected', async () => {
    expect(CUT).toContain(await answerTo(impatient, SLOW_HEAD, 'a'));
  });

  test('that sends its body a byte at a time is disconnected', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n';
    expect(CUT).toContain(await answerTo(impatient, head, 'a'));
  });

  test('that sends many requests before the first is answered is disconnected', async ({
    onTestFinished,
  }) => {
    let begun = 0;
    const answers = Promise.withResolvers<void>();
    const patient = createHttpServer(async () => {
      begun += 1;
      await answers.promise;
      return new Response('done');
    });
    patient.listen(0, '127.0.0.1');
    await once(patient, 'listening');
    onTestFinished(() => {
      patient.close();
    });
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(await answerTo(patient, request.repeat(3000))).toBe('');
    expect(begun).toBe(16);

    const last = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    answers.resolve();
    expect(await answerTo(patient, request.repeat(15) + last)).toBe('HTTP/1.1 200 OK');
    expect(begun).toBe(32);
  });

  test('is told from one that asks again and again over one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statuses = new Set<number | undefined>();
    for (let count = 0; count < 40; count += 1) {
      const [answer] = await once(get({ port: portOf(server), host: '127.0.0.1', agent }), 'response');
      statuses.add(answer.statusCode);
      answer.resume();
      await once(answer, 'end');
    }
    agent.destroy();
    expect(statuses).toEqual(new Set([200]));
  });

  test('that sends headers of more than 16 KB is refused', async () => {
    const head = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(17_000)}\r\n\r\n`;
    expect(await answerTo(server, head)).toBe('HTTP/1.1 431 Request Header Fields Too Large');
  });

  test.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a negative length', 'Content-Length: -1\r\n\r\n'],
    ['a folded header', 'X-One: a\r\n b\r\n\r\n'],
    ['a bare line feed', 'X-One: a\nX-Two: b\r\n\r\n'],
    ['a NUL in a header', 'X-One: a\0b\r\n\r\n'],
  ])('that smuggles a request with %s is refused', async (_, rest) => {
    expect(await answerTo(server, `POST / HTTP/1.1\r\nHost: x\r\n${rest}`)).toBe('HTTP/1.1 400 Bad Request');
  });
});
