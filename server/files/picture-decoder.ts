import sharp from 'sharp';

/** Why a file is refused: a code of contract/errors.ts, which would take this process longer to load than most pictures. */
export type PictureRefusal = 'image_type' | 'image_too_large';

/** Thrown for a file that is not decoded. */
export class RefusedPicture extends Error {
  readonly code: PictureRefusal;

  constructor(code: PictureRefusal) {
    super(code);
    this.code = code;
  }
}

// Only the accepted formats are ever parsed: the reader of SVG, for one, draws what it is to measure.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
});

/** The most pixels of a picture by format: AVIF (`heif`) takes about five times the memory of the others. */
const MOST_PIXELS = new Map<string, number>([
  ['jpeg', 50_000_000],
  ['png', 50_000_000],
  ['webp', 50_000_000],
  ['heif', 13_000_000],
]);

/**
 * Makes a picture a square WebP without metadata, with sides of `side` pixels. May take memory and time without end: see
 * `server/files/picture-process.ts`.
 * @throws RefusedPicture
 */
export async function squareOf(file: Buffer, side: number): Promise<Buffer> {
  const bytes = essentialOf(file);
  requireSoundItems(bytes);
  const most = await mostPixels(bytes);
  const image = sharp(bytes, { limitInputPixels: most, failOn: 'error' })
    .rotate()
    .resize(side, side, { fit: 'cover', withoutEnlargement: false })
    .webp({ quality: 82 });
  return image.toBuffer().catch(refuseFormat);
}

/** Reads a picture's head. @throws RefusedPicture when its format is not accepted or it has more pixels than it may */
async function mostPixels(bytes: Buffer): Promise<number> {
  const head = sharp(bytes, { limitInputPixels: false, failOn: 'error' });
  const { format, width, height } = await head.metadata().catch(refuseFormat);
  const most = MOST_PIXELS.get(format) ?? refuseFormat();
  if (width * height > most) throw new RefusedPicture('image_too_large');
  return most;
}

function refuseFormat(): never {
  throw new RefusedPicture('image_type');
}

/**
 * A picture without what it is not decoded for: the texts of a PNG, each of which the decoder expands, up to tens of
 * megabytes, and keeps, so that a file of 2 MB took 5 GB; and every frame of an animated WebP but the first, since to
 * count a hundred thousand of them took minutes. Other formats are returned unchanged.
 * @throws RefusedPicture
 */
export function essentialOf(bytes: Buffer): Buffer {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return essentialPng(bytes);
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? essentialWebp(bytes) : bytes;
}

/** Far more than a picture of 5 MB has; to go through as many as it can hold would take half a second. */
const MOST_CHUNKS = 10_000;

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** The chunks of a PNG that carry its pixels. */
const PNG_PIXELS = new Set(['IDAT', 'IEND']);
/** The chunks, one of each, that say how its pixels are shown. */
const PNG_DESCRIPTIONS = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT', 'eXIf'];

function essentialPng(bytes: Buffer): Buffer {
  const kept: Buffer[] = [PNG_SIGNATURE];
  const wanted = new Set(PNG_DESCRIPTIONS);
  let chunks = 0;
  // A chunk is the length of its data, its type, the data and a checksum.
  for (let at = PNG_SIGNATURE.length; at + 12 <= bytes.length; ) {
    chunks += 1;
    if (chunks > MOST_CHUNKS) refuseFormat();
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (PNG_PIXELS.has(type) || wanted.delete(type)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

/** The chunks of a WebP that are kept, one of each. */
const WEBP_CHUNKS = ['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L', 'EXIF'];

function essentialWebp(bytes: Buffer): Buffer {
  const kept = [];
  const wanted = new Set(WEBP_CHUNKS);
  let chunks = 0;
  // A chunk is its type, the length of its data and the data, to an even length.
  for (let at = 12; at + 8 <= bytes.length && chunks < MOST_CHUNKS; ) {
    chunks += 1;
    const size = bytes.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (wanted.delete(bytes.toString('latin1', at, at + 4))) kept.push(bytes.subarray(at, end));
    at = end;
  }
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt32LE(4 + kept.reduce((sum, { length }) => sum + length, 0), 4);
  return Buffer.concat([head, ...kept]);
}

type Box = { type: string; start: number; end: number };

/** The boxes of an AVIF between two places. @throws RefusedPicture when they do not fit */
function* boxesOf(bytes: Buffer, from: number, to: number): Generator<Box> {
  for (let at = from; at + 8 <= to; ) {
    const short = bytes.readUInt32BE(at);
    // 1: the size follows in 64 bits; 0: it is the last box.
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short || to - at;
    const start = at + (short === 1 ? 16 : 8);
    const end = at + size;
    if (end < start || end > to) refuseFormat();
    yield { type: bytes.toString('latin1', at + 4, at + 8), start, end };
    at = end;
  }
}

/** How often the items of an AVIF may refer to each of its bytes, on average: encoders store equal parts once. */
const MOST_USES = 4;

/** Items of an AVIF that are composed of others, any of them repeated as often as the file says. */
const COMPOSED = /grid|iovl|iden/;

/**
 * Refuses an AVIF whose items overlap: the decoder copies each of them, so a file of 4 MB took 2 GB. And one composed of
 * other pictures: a file of 600 bytes, one tile 64 times, took eight seconds, and one of 100 KB would have taken hours.
 * @throws RefusedPicture
 */
function requireSoundItems(bytes: Buffer): void {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return;
  try {
    for (const meta of boxesOf(bytes, 0, bytes.length)) {
      if (meta.type !== 'meta') continue;
      for (const { type, start, end } of boxesOf(bytes, meta.start + 4, meta.end)) {
        const box = bytes.subarray(start, end);
        if (type === 'iloc') requireFewUses(box, bytes.length);
        if (type === 'iinf' && COMPOSED.test(box.toString('latin1'))) refuseFormat();
      }
    }
  } catch (error) {
    // A number outside the file.
    if (error instanceof RangeError) refuseFormat();
    throw error;
  }
}

/**
 * Adds up what the items refer to, as the box that places them says.
 * @throws RefusedPicture; RangeError when the box ends too early
 */
function requireFewUses(iloc: Buffer, fileBytes: number): void {
  let at = 4;
  const next = (size: number): number => {
    const value = size === 8 ? Number(iloc.readBigUInt64BE(at)) : size === 0 ? 0 : iloc.readUIntBE(at, size);
    at += size;
    return value;
  };
  const version = iloc.readUInt8(0);
  const [sizes, moreSizes] = [next(1), next(1)];
  const idSize = version < 2 ? 2 : 4;
  const indexSize = version === 0 ? 0 : moreSizes & 15;
  let used = 0;
  for (let items = next(idSize); items > 0; items -= 1) {
    next(idSize);
    if (version > 0) next(2);
    next(2);
    next(moreSizes >> 4);
    for (let extents = next(2); extents > 0; extents -= 1) {
      next(indexSize);
      next(sizes >> 4);
      // No length: the whole file.
      used += next(sizes & 15) || fileBytes;
      if (used > fileBytes * MOST_USES) refuseFormat();
    }
  }
}
