import { setImmediate } from 'node:timers/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { toSquare } from './picture.ts';

async function* piecesOf(bytes: Uint8Array) {
  yield bytes;
}

/** A progressive JPEG whose only component is refined `scans` times, each time by nothing. */
function jpegOfScans(side: number, scans: number): Buffer {
  const u16 = (value: number) => [value >> 8, value & 0xff];
  const segment = (marker: number, data: number[]) =>
    Buffer.from([0xff, marker, ...u16(data.length + 2), ...data]);
  /** A Huffman table of one symbol, whose code has one bit. */
  const table = (id: number, symbol: number) => segment(0xc4, [id, 1, ...Array<number>(15).fill(0), symbol]);
  const blocks = Math.ceil(side / 8) ** 2;
  /** Runs of 32,767 blocks without a change: a code of one bit, then fourteen bits for the length. */
  const runs = Math.ceil(blocks / 32_767);
  const bits = `0${'1'.repeat(14)}`.repeat(runs);
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  const data = (padded.match(/.{8}/g) ?? []).flatMap((byte) => {
    const value = Number.parseInt(byte, 2);
    return value === 0xff ? [0xff, 0] : [value];
  });
  const refinement = Buffer.concat([segment(0xda, [1, 1, 0, 1, 63, 0]), Buffer.from(data)]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc2, [8, ...u16(side), ...u16(side), 1, 1, 0x11, 0]),
    table(0x00, 0),
    table(0x10, 0xe0),
    segment(0xda, [1, 1, 0, 0, 0, 0]),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...Array<Buffer>(scans).fill(refinement),
    Buffer.from([0xff, 0xd9]),
  ]);
}

test('a picture that keeps the decoder busy is refused, and the next one is decoded', async () => {
  // It would take minutes.
  const endless = expect(toSquare(piecesOf(jpegOfScans(7000, 60_000)), 2)).rejects;
  const next = toSquare(piecesOf(jpegOfScans(800, 3)));
  await endless.toMatchObject({ code: 'image_type' });
  const { format, width, height } = await sharp(await next).metadata();
  expect({ format, width, height }).toEqual({ format: 'webp', width: 512, height: 512 });
});

test('a picture is read only after the one before it is decoded', async () => {
  const picture = jpegOfScans(80, 1);
  const rest = Promise.withResolvers<void>();
  async function* slow() {
    yield picture.subarray(0, 9);
    await rest.promise;
    yield picture.subarray(9);
  }
  let begun = false;
  async function* next() {
    begun = true;
    yield picture;
  }
  const both = Promise.all([toSquare(slow()), toSquare(next())]);
  await setImmediate();
  expect(begun).toBe(false);
  rest.resolve();
  await both;
  expect(begun).toBe(true);
});
