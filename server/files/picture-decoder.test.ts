import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { essentialOf, squareOf } from './picture-decoder.ts';

/** 'square' for a picture that is accepted, otherwise the code of its refusal. */
async function outcomeOf(bytes: Buffer): Promise<string> {
  try {
    const square = await squareOf(bytes, 9);
    const { width, height, format } = await sharp(square).metadata();
    return width === height && format === 'webp' ? 'square' : 'other';
  } catch (error) {
    return String(Object(error).code);
  }
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function chunk(type: string, data: string | Uint8Array = ''): Buffer {
  const named = Buffer.concat([Buffer.from(type), Buffer.from(data)]);
  return Buffer.concat([u32(named.length - 4), named, u32(crc32(named))]);
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const HEAD = chunk('IHDR', Buffer.concat([u32(10), u32(10), Buffer.from([8, 2, 0, 0, 0])]));
const PIXELS = [chunk('IDAT', deflateSync(Buffer.alloc(310))), chunk('IEND')];

test('of a PNG only what its pixels need is decoded', () => {
  const text = deflateSync('a'.repeat(1000));
  const compressed = chunk('zTXt', Buffer.concat([Buffer.from('k\0\0'), text]));
  const translated = chunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0'), text]));
  const profile = chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), text]));
  const png = Buffer.concat([
    SIGNATURE,
    HEAD,
    compressed,
    translated,
    profile,
    profile,
    ...PIXELS,
    Buffer.from('a tail'),
  ]);
  expect(essentialOf(png)).toEqual(Buffer.concat([SIGNATURE, HEAD, profile, ...PIXELS]));
});

test('a PNG turned by its metadata, with a palette and transparency, is still read as it is shown', async () => {
  const background = { r: 200, g: 30, b: 30, alpha: 0.5 };
  const png = await sharp({ create: { width: 90, height: 30, channels: 4, background } })
    .withMetadata({ orientation: 6 })
    .png({ palette: true })
    .toBuffer();
  const { width, height } = (await sharp(essentialOf(png)).metadata()).autoOrient;
  expect([width, height]).toEqual([30, 90]);
  const { data } = await sharp(await squareOf(png, 512))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(data[3]).toBeGreaterThan(100);
  expect(data[3]).toBeLessThan(150);
});

test('a PNG of more chunks than any has, or cut off in one, is refused', async () => {
  const of = (count: number) =>
    Buffer.concat([SIGNATURE, HEAD, ...Array<Buffer>(count).fill(chunk('IDAT')), ...PIXELS]);
  expect([await outcomeOf(of(9_000)), await outcomeOf(of(10_000))]).toEqual(['square', 'image_type']);
  expect(await outcomeOf(of(0).subarray(0, -20))).toBe('image_type');
});

test('of an animated WebP only the first frame is read', async () => {
  const colours = Buffer.concat(
    ['c81e1e', '1ec81e', '1e1ec8'].map((hex) => Buffer.from(hex.repeat(400), 'hex')),
  );
  const webp = await sharp(colours, { raw: { width: 20, height: 60, channels: 3, pageHeight: 20 } })
    .withMetadata({ orientation: 6 })
    .webp({ lossless: true })
    .toBuffer();
  expect((await sharp(webp).metadata()).pages).toBe(3);
  const { pages = 1, orientation } = await sharp(essentialOf(webp)).metadata();
  expect([pages, orientation]).toEqual([1, 6]);
  const { dominant } = await sharp(await squareOf(webp, 512)).stats();
  expect(dominant.r).toBeGreaterThan(dominant.g + dominant.b);

  const still = await sharp({ create: { width: 20, height: 10, channels: 4, background: '#c81e1e80' } })
    .webp()
    .toBuffer();
  expect(essentialOf(still)).toEqual(still);
});

/** The boxes of an AVIF between two places, whole. */
function boxesIn(bytes: Buffer, from = 0, to = bytes.length): { type: string; box: Buffer }[] {
  const boxes = [];
  for (let at = from; at < to; at += bytes.readUInt32BE(at)) {
    const box = bytes.subarray(at, at + bytes.readUInt32BE(at));
    boxes.push({ type: box.toString('latin1', 4, 8), box });
  }
  return boxes;
}

function boxOf(type: string, ...content: Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content);
  return Buffer.concat([u32(bytes.length + 8), Buffer.from(type), bytes]);
}

/** An AVIF whose only item refers `uses` times to the same bytes, in which its name is `item`. */
async function avif({ uses = 1, item = 'Color' } = {}): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const plain = await sharp({ create: { width: 128, height: 128, channels: 3, background: '#000', noise } })
    .avif({ effort: 0, quality: 90 })
    .toBuffer();
  const parts = Object.fromEntries(boxesIn(plain).map(({ type, box }) => [type, box]));
  const { ftyp = Buffer.alloc(0), meta = Buffer.alloc(0), mdat = Buffer.alloc(0) } = parts;
  const size = u32(mdat.length - 8);
  const metaAt = (start: number) => {
    const inner = boxesIn(meta, 12).map(({ type, box }) => {
      if (type === 'iinf') return boxOf('iinf', box.subarray(8, 14), infe(item));
      if (type !== 'iloc') return box;
      // Version 0, offsets and lengths of four bytes, one item: its id, no other file, its extents.
      const head = Buffer.from([0, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, uses]);
      return boxOf(
        'iloc',
        head,
        ...Array<Buffer[]>(uses)
          .fill([u32(start), size])
          .flat(),
      );
    });
    return boxOf('meta', u32(0), ...inner);
  };
  const start = ftyp.length + metaAt(0).length + 8;
  return Buffer.concat([ftyp, metaAt(start), mdat]);
}

/** The description of the item 1, an AV1 picture. */
function infe(name: string): Buffer {
  return boxOf('infe', Buffer.from([2, 0, 0, 0, 0, 1, 0, 0]), Buffer.from(`av01${name}\0`));
}

test('an AVIF whose items refer to the same bytes again and again is refused', async () => {
  expect(await outcomeOf(await avif({ uses: 3 }))).toBe('square');
  expect(await outcomeOf(await avif({ uses: 6 }))).toBe('image_type');
});

test('an AVIF composed of others, or with boxes that end outside it, is refused', async () => {
  for (const item of ['grid', 'iovl', 'iden'])
    expect(await outcomeOf(await avif({ item }))).toBe('image_type');
  const whole = await avif();
  expect(await outcomeOf(whole)).toBe('square');
  const at = whole.indexOf('iloc') + 4;
  for (const [place, byte] of [
    [at - 8, 0x7f],
    [at + 6, 0x7f],
    [at + 12, 0x7f],
  ] as const) {
    const broken = Buffer.from(whole);
    broken[place] = byte;
    expect(await outcomeOf(broken)).toBe('image_type');
  }
});

test('no other format is parsed at all', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const gif = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#000' } })
    .gif()
    .toBuffer();
  for (const bytes of [svg, gif]) {
    await expect(sharp(bytes).metadata()).rejects.toThrow('unsupported image format');
    expect(await outcomeOf(bytes)).toBe('image_type');
  }
});
